package dev.bridle.core.api.discovery;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.version.Versions;
import dev.bridle.discovery.v1.A2aAgentCard;
import dev.bridle.discovery.v1.A2aAgentInterface;
import dev.bridle.discovery.v1.Discovery;
import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.discovery.v1.GetAgentCardRequest;
import dev.bridle.discovery.v1.GetHealthRequest;
import dev.bridle.discovery.v1.GetProtocolDiscoveryRequest;
import dev.bridle.discovery.v1.GetServerIndexRequest;
import dev.bridle.discovery.v1.GetVersionRequest;
import dev.bridle.discovery.v1.HarnAgentCard;
import dev.bridle.discovery.v1.HarnAgentInterface;
import dev.bridle.discovery.v1.Health;
import dev.bridle.skill.v1.Skill;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DiscoveryServiceTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  private DiscoveryServiceGrpc.DiscoveryServiceBlockingStub discovery;

  @BeforeEach
  void nobodyAsks() {
    discovery = DiscoveryServiceGrpc.newBlockingStub(core.nobody());
  }

  @Test
  void healthFollowsTheServersState() {
    assertThat(health().getOk()).isFalse();
    assertThat(health().getStatus()).isEqualTo("starting");
    core.state.ready();
    assertThat(health().getOk()).isTrue();
    assertThat(health().getStatus()).isEqualTo("ok");
    core.state.draining();
    assertThat(health().getOk()).isFalse();
    assertThat(health().getStatus()).isEqualTo("draining");
    core.state.storageFailed();
    assertThat(health().getOk()).isFalse();
    assertThat(health().getStatus()).isEqualTo("storage_failed");
  }

  @Test
  void theIndexLinksToWhatDescribesTheServerUnderItsPublicUrl() {
    var index =
        discovery.getServerIndex(
            GetServerIndexRequest.newBuilder().setPublicUrl("https://agents.example/").build());

    assertThat(index.getName()).isEqualTo("Bridle");
    assertThat(index.getVersion()).isEqualTo(Versions.SERVER);
    assertThat(index.getLinks().getAgentCard()).isEqualTo("https://agents.example/v1/agent-card");
    assertThat(index.getLinks().getOpenapi()).isEqualTo("https://agents.example/openapi.json");
    assertThat(index.getLinks().getHealth()).isEqualTo("https://agents.example/health");
    assertThat(index.getLinks().getDocs()).startsWith("https://");
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    var version = discovery.getVersion(GetVersionRequest.getDefaultInstance());

    assertThat(version.getVersion()).matches("[0-9]+\\.[0-9]+\\.[0-9]+(-[A-Za-z0-9.]+)?");
    assertThat(version.getProtocolVersion()).isEqualTo("agents-protocol-2026-04-25");
  }

  @Test
  void onlyWhatIsServedIsDiscovered() {
    Discovery told =
        discovery.getProtocolDiscovery(GetProtocolDiscoveryRequest.getDefaultInstance());

    assertThat(told.getSupportedVersionsList()).containsExactly(told.getCurrentVersion());
    assertThat(told.getCapabilities().getRest()).isTrue();
    assertThat(told.getCapabilities().getSse()).isTrue();
    assertThat(told.getCapabilities().getWebsocket()).isTrue();
    assertThat(told.getCapabilities().getReceipts()).isTrue();
    assertThat(told.getCapabilities().getReplay()).isTrue();
  }

  @Test
  void aServerThatCannotSignAdvertisesNoReceipts() {
    HarnAgentCard card = new AgentCards(List.of(), List::of, false).at("http://h");

    assertThat(card.hasReceiptPolicy()).isFalse();
    assertThat(card.getCapabilitiesList()).doesNotContain("receipts");
  }

  @Test
  void theCardNamesThePublicUrlThroughout() {
    HarnAgentCard card =
        discovery.getAgentCard(
            GetAgentCardRequest.newBuilder().setPublicUrl("https://agents.example/").build());

    assertThat(card.getId()).isEqualTo("card_bridle");
    assertThat(card)
        .as("another answer of another server")
        .isEqualTo(
            new AgentCards(List.of(), () -> List.of("tasks:read"), true)
                .at("https://agents.example"));
    assertThat(Timestamps.toString(card.getCreatedAt())).isEqualTo("2026-11-22T00:00:00Z");
    assertThat(card.getPublicUrl()).isEqualTo("https://agents.example");
    assertThat(card.getHarnInterfacesList())
        .extracting(HarnAgentInterface::getUrl)
        .containsExactly(
            "https://agents.example/v1",
            "https://agents.example/v1/events/stream",
            "wss://agents.example/v1/events/stream");
    assertThat(card.getA2ACard().getSupportedInterfacesList())
        .containsExactly(
            A2aAgentInterface.newBuilder()
                .setUrl("https://agents.example")
                .setProtocolBinding("https://harnlang.com/spec/agents-protocol/v1")
                .setProtocolVersion("agents-protocol-2026-04-25")
                .build());
    assertThat(card.getCapabilitiesList()).contains("websocket", "receipts", "replay");
    assertThat(card.getReceiptPolicy()).isEqualTo("optional");
    assertThat(card.getSkillsList()).isEmpty();
  }

  @Test
  void theCardSaysHowATokenIsGot() {
    HarnAgentCard card =
        discovery.getAgentCard(
            GetAgentCardRequest.newBuilder().setPublicUrl("https://agents.example").build());

    assertThat(card.getAuthSchemesList()).containsExactly("bearer", "oauth2");
    assertThat(card.getA2ACard().getSecuritySchemesMap().keySet())
        .containsExactlyInAnyOrder("bearer", "oauth2");
    assertThat(card.getA2ACard().getSecuritySchemesOrThrow("oauth2").getMembers().toStringUtf8())
        .isEqualTo(
            "{\"type\":\"oauth2\",\"flows\":{\"clientCredentials\":{\"tokenUrl\":"
                + "\"https://agents.example/oauth/token\",\"scopes\":"
                + "{\"tasks:read\":\"Allows tasks:read.\"}}}}");
    assertThat(card.getA2ACard().getSecurityList())
        .extracting(any -> any.getSchemesMap().keySet().iterator().next())
        .containsExactly("bearer", "oauth2");
  }

  @Test
  void theA2aCardNamesItsInterfaceAlsoAsOlderCardsDo() {
    A2aAgentCard card = new AgentCards(List.of(), List::of, true).at("http://h").getA2ACard();

    assertThat(card.getPreferredTransport())
        .isEqualTo(card.getSupportedInterfaces(0).getProtocolBinding());
    assertThat(card.getAdditionalInterfacesList())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.getUrl()).isEqualTo("http://h");
              assertThat(one.getTransport()).isEqualTo(card.getPreferredTransport());
            });
  }

  @Test
  void skillsStandOnBothCards() {
    Skill skill =
        Skill.newBuilder().setId("skill_count").setName("count").setDescription("Counts.").build();

    HarnAgentCard card = new AgentCards(List.of(skill), List::of, true).at("http://h");

    assertThat(card.getSkillsList()).containsExactly(skill);
    assertThat(card.getA2ACard().getSkills(0).getId()).isEqualTo("skill_count");
  }

  @Test
  void aCardWithoutItsUrlIsRefused() {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "public_url",
        () -> discovery.getAgentCard(GetAgentCardRequest.getDefaultInstance()));
  }

  private Health health() {
    return discovery.getHealth(GetHealthRequest.getDefaultInstance());
  }
}
