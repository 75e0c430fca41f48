package dev.bridle.core.discovery;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.discovery.v1.A2aAgentCapabilities;
import dev.bridle.discovery.v1.A2aAgentCard;
import dev.bridle.discovery.v1.A2aAgentInterface;
import dev.bridle.discovery.v1.A2aAgentSkill;
import dev.bridle.discovery.v1.A2aSecurityRequirement;
import dev.bridle.discovery.v1.A2aSecurityScheme;
import dev.bridle.discovery.v1.A2aSecurityScopes;
import dev.bridle.discovery.v1.HarnAgentCard;
import dev.bridle.discovery.v1.HarnAgentInterface;
import dev.bridle.discovery.v1.Transport;
import dev.bridle.runtime.v1.Capability;
import dev.bridle.skill.v1.Skill;
import java.time.Instant;
import java.util.List;

/** Writes the card of this harness: it names what is served, and nothing else. */
final class AgentCards {
  private static final String ID = "card_bridle";
  private static final String NAME = "Bridle";
  private static final String DESCRIPTION =
      "A self-hosted harness: clients give it durable tasks, its agents do them, and every step is"
          + " an event that can be followed live or read later.";
  private static final String BINDING = "https://harnlang.com/spec/agents-protocol/v1";
  private static final List<String> INPUT_MODES = List.of("text/plain", "application/json");
  private static final List<String> OUTPUT_MODES =
      List.of("text/plain", "application/json", "application/octet-stream");

  private final Timestamp madeAt;
  private final List<Skill> skills;

  AgentCards(Instant madeAt, List<Skill> skills) {
    this.madeAt = Timestamps.fromMillis(madeAt.toEpochMilli());
    this.skills = List.copyOf(skills);
  }

  /** Returns the card of the harness that is reached under a base URL. */
  HarnAgentCard at(String publicUrl) {
    String base = publicUrl.endsWith("/") ? chopped(publicUrl) : publicUrl;
    return HarnAgentCard.newBuilder()
        .setId(ID)
        .setCreatedAt(madeAt)
        .setUpdatedAt(madeAt)
        .setName(NAME)
        .setDescription(DESCRIPTION)
        .setProtocolVersion(Versions.PROTOCOL)
        .setA2ACard(a2aCard(base))
        .addAllSkills(skills)
        .addHarnInterfaces(reached(Transport.TRANSPORT_REST, base + "/v1"))
        .addHarnInterfaces(reached(Transport.TRANSPORT_SSE, base + "/v1/events/stream"))
        .addHarnInterfaces(
            reached(Transport.TRANSPORT_WEBSOCKET, socketUrl(base) + "/v1/events/stream"))
        .addAllCapabilities(Capabilities.ALL.stream().map(Capability::getId).toList())
        .addAuthSchemes("bearer")
        .setPublicUrl(base)
        .build();
  }

  /** The same place by the scheme of WebSockets, which is {@code ws} or {@code wss}. */
  private static String socketUrl(String base) {
    return base.startsWith("http") ? "ws" + base.substring("http".length()) : base;
  }

  private A2aAgentCard a2aCard(String base) {
    A2aAgentCard.Builder card =
        A2aAgentCard.newBuilder()
            .setName(NAME)
            .setDescription(DESCRIPTION)
            .addSupportedInterfaces(
                A2aAgentInterface.newBuilder()
                    .setUrl(base)
                    .setProtocolBinding(BINDING)
                    .setProtocolVersion(Versions.PROTOCOL))
            .setVersion(Versions.SERVER)
            .setCapabilities(A2aAgentCapabilities.newBuilder().setStreaming(true))
            .putSecuritySchemes(
                "bearer",
                A2aSecurityScheme.newBuilder()
                    .setMembers(json("{\"type\":\"http\",\"scheme\":\"bearer\"}"))
                    .build())
            .addSecurity(
                A2aSecurityRequirement.newBuilder()
                    .putSchemes("bearer", A2aSecurityScopes.getDefaultInstance()))
            .addAllDefaultInputModes(INPUT_MODES)
            .addAllDefaultOutputModes(OUTPUT_MODES);
    skills.forEach(skill -> card.addSkills(a2aSkill(skill)));
    return card.build();
  }

  private static A2aAgentSkill a2aSkill(Skill skill) {
    A2aAgentSkill.Builder told =
        A2aAgentSkill.newBuilder()
            .setId(skill.getId())
            .setName(skill.getName())
            .setDescription(skill.getDescription())
            .addAllTags(skill.getCapabilitiesList());
    if (skill.hasInputSchema()) {
      told.setInputSchema(skill.getInputSchema());
    }
    return told.build();
  }

  private static HarnAgentInterface reached(Transport transport, String url) {
    return HarnAgentInterface.newBuilder().setTransport(transport).setUrl(url).build();
  }

  private static ByteString json(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static String chopped(String url) {
    return url.substring(0, url.length() - 1);
  }
}
