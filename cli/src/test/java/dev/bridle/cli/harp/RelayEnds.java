package dev.bridle.cli.harp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.fixtures.harp.HarpMessages;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.harp.rule.DecisionRule;
import dev.bridle.harp.rule.ReplayRecord;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * A relay that listens on real sockets, an enforcer and a device, each with a credential of its own
 * role. Both check what the relay delivers with the library, and trust the relay with nothing.
 */
final class RelayEnds implements AutoCloseable {
  static final String ENFORCER = "ci";
  static final String APPROVER = "phone";

  private final LocalServer server;
  private final DeviceKeys device = DeviceKeys.create(new SecureRandom());
  private final Map<String, VerificationKey> trusted = new HashMap<>();
  private final Map<String, String> accepted = new HashMap<>();

  private RelayEnds(LocalServer server) {
    this.server = server;
    trust(device);
  }

  static RelayEnds start(Path directory) throws IOException {
    RelayEnds ends =
        new RelayEnds(
            LocalServer.start(
                LocalServerOptions.of(directory.resolve("data"))
                    .withoutDemoAgent()
                    .withHarpPort(0)));
    ends.createApprover(APPROVER, "ada");
    return ends;
  }

  @Override
  public void close() {
    server.close();
  }

  ProtocolClient admin() {
    return new ProtocolClient(server.baseUrl(), server.firstKey().orElseThrow());
  }

  void createApprover(String id, String actor) {
    ObjectNode party = Json.object().put("approver_id", id).put("actor", actor);
    assertThat(admin().post("/v1/harp/approvers", party).status()).isEqualTo(201);
  }

  /** Returns a client of the relay that acts as somebody. */
  ProtocolClient as(String actor, String scope) {
    return new ProtocolClient(
        server.harpUrl().orElseThrow(), server.credential(actor, Set.of(scope)));
  }

  ProtocolClient enforcer() {
    return as("ci", "harp:enforce");
  }

  ProtocolClient approver() {
    return as("ada", "harp:approve");
  }

  DeviceKeys device() {
    return device;
  }

  HarpMessages messages() {
    return new HarpMessages(device, ENFORCER, APPROVER);
  }

  /** Has the enforcer accept decisions that a device signs. */
  void trust(DeviceKeys other) {
    trusted.put(other.signerKeyId(), other.signing().verificationKey(KeyValidity.UNBOUNDED));
  }

  /** Has the enforcer accept no more decisions that a device signs. */
  void revoke(DeviceKeys other) {
    trusted.remove(other.signerKeyId());
  }

  static Artifact newArtifact() {
    return HarpMessages.artifact(UUID.randomUUID().toString(), Instant.now().plusSeconds(600));
  }

  Artifact submitNew() {
    Artifact artifact = newArtifact();
    assertAccepted(submit(messages().submission(artifact)));
    return artifact;
  }

  Answer submit(ObjectNode envelope) {
    return post(enforcer(), "/v1/artifacts", envelope.toString());
  }

  Answer decide(ObjectNode envelope) {
    return decide(envelope.toString());
  }

  Answer decide(String envelope) {
    return post(approver(), "/v1/decisions", envelope);
  }

  static Answer post(ProtocolClient party, String path, String envelope) {
    return party.send(
        party.call("POST", path).withBody(envelope.getBytes(UTF_8), "application/harp+json"));
  }

  static void assertAccepted(Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isIn(200, 202);
  }

  /** Checks that the relay refuses a message, and how. */
  static void assertRefusedByRelay(int status, String code, String reason, Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    JsonNode body = answer.json().path("body");
    assertThat(body.path("code").asText()).as(answer.toString()).isEqualTo(code);
    assertThat(body.at("/details/reason").asText()).as(answer.toString()).isEqualTo(reason);
  }

  /** Checks that an end refuses what the relay has delivered, and how. */
  static void assertRefusedByEnd(HarpErrorCode code, String reason, ThrowingCallable check) {
    assertThatThrownBy(check)
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> {
              assertThat(refused.code()).as(refused.getMessage()).isEqualTo(code);
              assertThat(refused.reason()).as(refused.getMessage()).isEqualTo(reason);
            });
  }

  String state(String request) {
    Answer answer = enforcer().get("/v1/exchanges/" + request);
    return answer.status() == 404 ? "none" : answer.json().at("/body/state").asText();
  }

  /** Returns the approval request of an artifact as the device finds it in its inbox. */
  JsonNode asked(Artifact artifact) {
    JsonNode items =
        approver().get("/v1/approvers/" + APPROVER + "/inbox?limit=200").json().at("/body/items");
    for (JsonNode item : items) {
      if (item.path("requestId").asText().equals(artifact.requestId())) {
        return item;
      }
    }
    throw new AssertionError("not asked: " + artifact);
  }

  /** Opens an approval request on the device, which checks the seal and the hash. */
  Artifact open(JsonNode asked) throws HarpException {
    return ArtifactSubmit.sealed(
            asked.path("requestId").asText(),
            asked.at("/body/artifactHash").asText(),
            asked.path("body").withObject("/ciphertext"))
        .open(device.agreement());
  }

  /** Returns the decision of an artifact as it is delivered to the enforcer. */
  Answer delivered(Artifact artifact) {
    Answer answer = enforcer().get("/v1/exchanges/" + artifact.requestId() + "/wait?timeout=20");
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    return answer;
  }

  /**
   * Checks a delivered decision as an enforcer does, and remembers it.
   *
   * @return false if exactly this one was accepted before, so that nothing is to be done
   */
  boolean accept(Artifact artifact, Answer delivered) throws HarpException {
    DecisionSubmit submitted = DecisionSubmit.of(GatewayEnvelope.parse(delivered.bytes()));
    VerificationKey key =
        Optional.ofNullable(trusted.get(submitted.signerKeyId()))
            .orElseThrow(
                () ->
                    new HarpException(
                        HarpErrorCode.SIGNATURE_INVALID, "unknown_key", "No such key."));
    Decision decision =
        submitted.verified(artifact.repoRef(), artifact.json().get("expiresAt").textValue(), key);
    boolean isNew =
        new DecisionRule(id -> Optional.ofNullable(trusted.get(id)), DecisionRule.SKEW)
            .accept(
                decision,
                new DecisionRule.Asked(
                    Decision.Subject.of(artifact), artifact.expiresAt(), artifact.sessionId()),
                new Remembered(),
                Instant.now());
    if (isNew) {
      accepted.put(artifact.requestId() + " " + artifact.hash(), decision.hash());
      accepted.put(decision.nonce() + " " + decision.signerKeyId(), decision.hash());
    }
    return isNew;
  }

  /** What this enforcer has accepted. */
  private final class Remembered implements ReplayRecord {
    @Override
    public Optional<String> ofRequest(String requestId, String artifactHash) {
      return Optional.ofNullable(accepted.get(requestId + " " + artifactHash));
    }

    @Override
    public Optional<String> ofNonce(String nonce, String signerKeyId) {
      return Optional.ofNullable(accepted.get(nonce + " " + signerKeyId));
    }
  }
}
