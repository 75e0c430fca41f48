package dev.bridle.core.api.discovery;

import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.version.Versions;
import dev.bridle.discovery.v1.Discovery;
import dev.bridle.discovery.v1.DiscoveryCapabilities;
import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.discovery.v1.GetAgentCardRequest;
import dev.bridle.discovery.v1.GetHealthRequest;
import dev.bridle.discovery.v1.GetProtocolDiscoveryRequest;
import dev.bridle.discovery.v1.GetServerIndexRequest;
import dev.bridle.discovery.v1.GetVersionRequest;
import dev.bridle.discovery.v1.HarnAgentCard;
import dev.bridle.discovery.v1.Health;
import dev.bridle.discovery.v1.RuntimeVersion;
import dev.bridle.discovery.v1.ServerIndex;
import dev.bridle.discovery.v1.ServerLinks;
import dev.bridle.skill.v1.Skill;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Describes the server (protocol sections "Versioning" and "HarnAgentCard"). The gateway serves the
 * OpenAPI document.
 */
public final class DiscoveryService extends DiscoveryServiceGrpc.DiscoveryServiceImplBase {
  private final Discovery discovery;
  private final ServerState state;
  private final AgentCards cards;
  private final UnaryOperator<HarnAgentCard> signer;

  /**
   * Creates the service. Its answers are the same for every caller.
   *
   * @param skills the built-in skills
   * @param scopes the scopes that OAuth clients may request
   * @param signer adds the signature to a card, if the card can be signed
   * @param receipts whether this server issues receipts
   */
  public DiscoveryService(
      ServerState state,
      List<Skill> skills,
      Supplier<List<String>> scopes,
      UnaryOperator<HarnAgentCard> signer,
      boolean receipts) {
    this.state = state;
    this.signer = signer;
    this.cards = new AgentCards(skills, scopes, receipts);
    this.discovery =
        Discovery.newBuilder()
            .setProtocolFamily("harn_agents_protocol")
            .setCurrentVersion(Versions.PROTOCOL)
            .addSupportedVersions(Versions.PROTOCOL)
            .setCapabilities(
                DiscoveryCapabilities.newBuilder()
                    .setRest(true)
                    .setSse(true)
                    .setWebsocket(true)
                    .setReceipts(receipts)
                    .setReplay(receipts))
            .build();
  }

  @Override
  public void getServerIndex(GetServerIndexRequest request, StreamObserver<ServerIndex> response) {
    String base = AgentCards.base(needUrl(request.getPublicUrl()));
    Replies.send(
        response,
        ServerIndex.newBuilder()
            .setName(AgentCards.NAME)
            .setDescription(AgentCards.DESCRIPTION)
            .setVersion(Versions.SERVER)
            .setProtocolVersion(Versions.PROTOCOL)
            .setLinks(
                ServerLinks.newBuilder()
                    .setAgentCard(base + "/v1/agent-card")
                    .setOpenapi(base + "/openapi.json")
                    .setHealth(base + "/health")
                    .setDocs(AgentCards.BINDING))
            .build());
  }

  private static String needUrl(String publicUrl) {
    if (publicUrl.isEmpty()) {
      throw ProtocolException.invalid("public_url", "must be the base URL of the gateway");
    }
    return publicUrl;
  }

  @Override
  public void getHealth(GetHealthRequest request, StreamObserver<Health> response) {
    Replies.send(
        response,
        Health.newBuilder()
            .setOk(state.ok())
            .setStatus(state.status())
            .setVersion(Versions.SERVER)
            .build());
  }

  @Override
  public void getVersion(GetVersionRequest request, StreamObserver<RuntimeVersion> response) {
    Replies.send(
        response,
        RuntimeVersion.newBuilder()
            .setVersion(Versions.SERVER)
            .setProtocolVersion(Versions.PROTOCOL)
            .build());
  }

  @Override
  public void getProtocolDiscovery(
      GetProtocolDiscoveryRequest request, StreamObserver<Discovery> response) {
    Replies.send(response, discovery);
  }

  @Override
  public void getAgentCard(GetAgentCardRequest request, StreamObserver<HarnAgentCard> response) {
    Replies.send(response, signer.apply(cards.at(needUrl(request.getPublicUrl()))));
  }
}
