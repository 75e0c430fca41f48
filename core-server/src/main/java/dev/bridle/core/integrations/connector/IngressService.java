package dev.bridle.core.integrations.connector;

import com.fasterxml.jackson.core.JsonPointer;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorStatus;
import dev.bridle.connector.v1.DedupePolicy;
import dev.bridle.connector.v1.FindIngressRequest;
import dev.bridle.connector.v1.FindIngressResponse;
import dev.bridle.connector.v1.IngestRequest;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.connector.v1.IngressServiceGrpc;
import dev.bridle.core.integrations.connector.mapping.DeliveryContent;
import dev.bridle.core.integrations.connector.signature.Preset;
import dev.bridle.core.integrations.connector.signature.SignatureScheme;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.IngressRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Accepts deliveries: verifies the signature, deduplicates and stores in one transaction, and
 * processes after the response (protocol section "Connector").
 */
final class IngressService extends IngressServiceGrpc.IngressServiceImplBase {
  private static final int PAUSED_SECONDS = 60;
  private static final int LONGEST_ID = 255;

  private static final JsonPointer TYPE = JsonPointer.compile("/type");
  private static final JsonPointer CHALLENGE = JsonPointer.compile("/challenge");

  private final KeyValueStore store;
  private final Commands commands;
  private final ConnectorStore connectors;
  private final DeliveryIntake intake;
  private final ConnectSecrets secrets;
  private final DeliveryProcessor processor;
  private final Clock clock;

  IngressService(
      KeyValueStore store,
      Commands commands,
      ConnectorStore connectors,
      DeliveryIntake intake,
      ConnectSecrets secrets,
      DeliveryProcessor processor,
      Clock clock) {
    this.store = store;
    this.commands = commands;
    this.connectors = connectors;
    this.intake = intake;
    this.secrets = secrets;
    this.processor = processor;
    this.clock = clock;
  }

  private record Target(String tenant, Connector connector, Optional<String> secret) {
    @Override
    public String toString() {
      return "Target[" + tenant + ", " + connector.getId() + "]";
    }
  }

  @Override
  public void ingest(IngestRequest request, StreamObserver<IngestResponse> response) {
    byte[] body = request.getBody().toByteArray();
    Map<String, String> headers = DeliveryContent.joined(request.getHeadersList());
    Target target = store.read(tr -> target(tr, request.getIngressId()));
    Connector connector = target.connector();
    Optional<byte[]> proof =
        SignatureScheme.of(connector.getWebhook().getSignature())
            .map(
                scheme -> scheme.verify(headers, body, target.secret().orElse(""), clock.millis()));
    if (connector.getStatus() != ConnectorStatus.CONNECTOR_STATUS_ACTIVE) {
      throw paused();
    }
    DeliveryContent content = DeliveryContent.of(body, headers);
    Optional<String> challenge = challenge(connector, content);
    if (challenge.isPresent()) {
      Replies.send(response, IngestResponse.newBuilder().setChallenge(challenge.get()).build());
      return;
    }
    DeliveryKeys keys = keys(ConnectorRules.dedupe(connector), content, body, proof);
    List<IngressHeader> kept = StoredHeaders.of(request.getHeadersList(), connector);
    IngestResponse taken =
        commands.once(
            target.tenant(),
            connector.getId(),
            write -> take(write, connector.getId(), keys, body, kept));
    if (!taken.getDuplicate()) {
      processor.processSoon(target.tenant(), connector.getId(), taken.getDeliveryId());
    }
    Replies.send(response, taken);
  }

  @Override
  public void findIngress(
      FindIngressRequest request, StreamObserver<FindIngressResponse> response) {
    IngressRecord owner =
        store.read(
            tr ->
                connectors
                    .findIngress(tr, request.getIngressId())
                    .orElseThrow(IngressService::unknown));
    Replies.send(
        response, FindIngressResponse.newBuilder().setConnectorId(owner.getConnectorId()).build());
  }

  private Target target(ReadTransaction tr, String ingressId) {
    IngressRecord owner =
        connectors.findIngress(tr, ingressId).orElseThrow(IngressService::unknown);
    Connector connector =
        connectors
            .find(tr, owner.getTenantId(), owner.getConnectorId())
            .orElseThrow(IngressService::unknown)
            .getConnector();
    var signature = connector.getWebhook().getSignature();
    Optional<String> secret =
        SignatureScheme.of(signature)
            .map(scheme -> secrets.open(tr, owner.getTenantId(), signature.getSecret()).value());
    return new Target(owner.getTenantId(), connector, secret);
  }

  private IngestResponse take(
      Write write,
      String connectorId,
      DeliveryKeys keys,
      byte[] body,
      List<IngressHeader> headers) {
    ConnectorRecord record =
        connectors
            .find(write.tr(), write.tenant(), connectorId)
            .orElseThrow(IngressService::unknown);
    Connector connector = record.getConnector();
    if (connector.getStatus() != ConnectorStatus.CONNECTOR_STATUS_ACTIVE) {
      throw paused();
    }
    return intake.take(write, connector, keys, body, headers, false);
  }

  /**
   * Signatures do not cover headers, so an id from a header could be changed or removed in a
   * replay. Such a delivery is also recognized by its signature.
   */
  private static DeliveryKeys keys(
      DedupePolicy policy, DeliveryContent content, byte[] body, Optional<byte[]> proof) {
    String key = key(policy, content, body);
    return proof
        .filter(signature -> !policy.getHeader().isEmpty())
        .map(signature -> DeliveryKeys.signed(key, signature))
        .orElseGet(() -> DeliveryKeys.of(key));
  }

  private static String key(DedupePolicy policy, DeliveryContent content, byte[] body) {
    Optional<String> named =
        policy.getHeader().isEmpty() ? Optional.empty() : content.header(policy.getHeader());
    if (named.isEmpty() && !policy.getPointer().isEmpty()) {
      named = content.at(ConnectorRules.pointer(policy));
    }
    return named
        .filter(id -> !id.isBlank() && id.length() <= LONGEST_ID)
        .map(id -> "id:" + id)
        .orElseGet(() -> "sha256:" + HexFormat.of().formatHex(DeliveryStore.sha256(body)));
  }

  /** Returns the challenge of Slack's URL verification, which the response must echo. */
  private static Optional<String> challenge(Connector connector, DeliveryContent content) {
    boolean slack = Preset.of(connector.getWebhook().getSignature()) == Preset.SLACK;
    return slack && content.at(TYPE).equals(Optional.of("url_verification"))
        ? content.at(CHALLENGE)
        : Optional.empty();
  }

  private static ProtocolException unknown() {
    return ProtocolException.of(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "There is no connector at this path.");
  }

  private static ProtocolException paused() {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
            "The connector is paused; deliver again later.")
        .retryAfter(PAUSED_SECONDS);
  }
}
