package dev.bridle.core.api.discovery;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.version.Versions;
import dev.bridle.discovery.v1.A2aAgentCapabilities;
import dev.bridle.discovery.v1.A2aAgentCard;
import dev.bridle.discovery.v1.A2aAgentInterface;
import dev.bridle.discovery.v1.A2aAgentSkill;
import dev.bridle.discovery.v1.A2aSecurityRequirement;
import dev.bridle.discovery.v1.A2aSecurityScheme;
import dev.bridle.discovery.v1.A2aSecurityScopes;
import dev.bridle.discovery.v1.A2aTransportInterface;
import dev.bridle.discovery.v1.HarnAgentCard;
import dev.bridle.discovery.v1.HarnAgentInterface;
import dev.bridle.discovery.v1.Transport;
import dev.bridle.runtime.v1.Capability;
import dev.bridle.skill.v1.Skill;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/** Builds this server's agent card, which names only what is really served. */
final class AgentCards {
  private static final String ID = "card_bridle";
  static final String NAME = "Bridle";
  static final String DESCRIPTION =
      "A self-hosted harness: clients give it durable tasks, its agents do them, and every step is"
          + " an event that can be followed live or read later.";
  static final String BINDING = "https://harnlang.com/spec/agents-protocol/v1";
  private static final List<String> INPUT_MODES = List.of("text/plain", "application/json");
  private static final List<String> OUTPUT_MODES =
      List.of("text/plain", "application/json", "application/octet-stream");

  /**
   * When the card's content last changed. A constant, so that the card does not depend on the time
   * of the request.
   */
  private static final Timestamp CREATED_AT =
      Timestamps.fromMillis(Instant.parse("2026-11-22T00:00:00Z").toEpochMilli());

  /** Each task gets a receipt, unless its persona or its submission declines that. */
  private static final String RECEIPT_POLICY = "optional";

  private static final String BEARER = "bearer";
  private static final String OAUTH2 = "oauth2";

  private final List<Skill> skills;
  private final Supplier<List<String>> scopes;
  private final boolean receipts;

  /**
   * Creates a builder of cards.
   *
   * @param scopes the scopes that OAuth clients may request
   * @param receipts whether this server issues receipts
   */
  AgentCards(List<Skill> skills, Supplier<List<String>> scopes, boolean receipts) {
    this.skills = List.copyOf(skills);
    this.scopes = scopes;
    this.receipts = receipts;
  }

  /** Returns the card of the server at a base URL. */
  HarnAgentCard at(String publicUrl) {
    String base = base(publicUrl);
    HarnAgentCard.Builder card =
        HarnAgentCard.newBuilder()
            .setId(ID)
            .setCreatedAt(CREATED_AT)
            .setUpdatedAt(CREATED_AT)
            .setName(NAME)
            .setDescription(DESCRIPTION)
            .setProtocolVersion(Versions.PROTOCOL)
            .setA2ACard(a2aCard(base))
            .addAllSkills(skills)
            .addHarnInterfaces(toInterface(Transport.TRANSPORT_REST, base + "/v1"))
            .addHarnInterfaces(toInterface(Transport.TRANSPORT_SSE, base + "/v1/events/stream"))
            .addHarnInterfaces(
                toInterface(Transport.TRANSPORT_WEBSOCKET, socketUrl(base) + "/v1/events/stream"))
            .addAllCapabilities(Capabilities.all(receipts).stream().map(Capability::getId).toList())
            .addAuthSchemes(BEARER)
            .addAuthSchemes(OAUTH2)
            .setPublicUrl(base);
    if (receipts) {
      card.setReceiptPolicy(RECEIPT_POLICY);
    }
    return card.build();
  }

  /** Returns the base URL without a trailing slash, so that paths can be appended. */
  static String base(String publicUrl) {
    return publicUrl.endsWith("/") ? withoutTrailingSlash(publicUrl) : publicUrl;
  }

  /** Returns the base URL with the scheme {@code ws} or {@code wss}. */
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
            .setPreferredTransport(BINDING)
            .addAdditionalInterfaces(
                A2aTransportInterface.newBuilder().setUrl(base).setTransport(BINDING))
            .putSecuritySchemes(
                BEARER, scheme(Payload.of().text("type", "http").text("scheme", "bearer")))
            .putSecuritySchemes(OAUTH2, oauth2(base))
            .addSecurity(requirement(BEARER))
            .addSecurity(requirement(OAUTH2))
            .addAllDefaultInputModes(INPUT_MODES)
            .addAllDefaultOutputModes(OUTPUT_MODES);
    skills.forEach(skill -> card.addSkills(a2aSkill(skill)));
    return card.build();
  }

  /** Describes the only grant type of this server, client credentials. */
  private A2aSecurityScheme oauth2(String base) {
    Payload offered = Payload.of();
    scopes.get().forEach(scope -> offered.text(scope, "Allows " + scope + "."));
    Payload flow =
        Payload.of().text("tokenUrl", base + "/oauth/token").json("scopes", offered.json());
    return scheme(
        Payload.of()
            .text("type", "oauth2")
            .json("flows", Payload.of().json("clientCredentials", flow.json()).json()));
  }

  private static A2aSecurityScheme scheme(Payload members) {
    return A2aSecurityScheme.newBuilder().setMembers(members.json()).build();
  }

  private static A2aSecurityRequirement requirement(String scheme) {
    return A2aSecurityRequirement.newBuilder()
        .putSchemes(scheme, A2aSecurityScopes.getDefaultInstance())
        .build();
  }

  private static A2aAgentSkill a2aSkill(Skill skill) {
    A2aAgentSkill.Builder a2a =
        A2aAgentSkill.newBuilder()
            .setId(skill.getId())
            .setName(skill.getName())
            .setDescription(skill.getDescription())
            .addAllTags(skill.getCapabilitiesList());
    if (skill.hasInputSchema()) {
      a2a.setInputSchema(skill.getInputSchema());
    }
    return a2a.build();
  }

  private static HarnAgentInterface toInterface(Transport transport, String url) {
    return HarnAgentInterface.newBuilder().setTransport(transport).setUrl(url).build();
  }

  private static String withoutTrailingSlash(String url) {
    return url.substring(0, url.length() - 1);
  }
}
