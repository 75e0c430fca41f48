package dev.bridle.harpgateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.AckSubmit;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.harpgateway.document.PairingDocument;
import dev.bridle.harpgateway.document.PresenceDocument;
import dev.bridle.relay.v1.CompleteRequest;
import dev.bridle.relay.v1.CompleteResponse;
import dev.bridle.relay.v1.InitiateRequest;
import dev.bridle.relay.v1.InitiateResponse;
import dev.bridle.relay.v1.ListPresenceResponse;
import dev.bridle.relay.v1.PairingOffer;
import dev.bridle.relay.v1.Presence;
import dev.bridle.relay.v1.ResolveResponse;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gateway vectors that HARP publishes, as they are and with a fault in each. */
final class PublishedVectorsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String HASH =
      "fe94a9a087129947cc76a6749363bff39e0dcfd64398906bb3123df38913b2a9";

  private static ObjectNode vector(String name) {
    return (ObjectNode) PublishedVectors.get(name);
  }

  private static GatewayEnvelope read(ObjectNode document) throws HarpException {
    GatewayEnvelope envelope = GatewayEnvelope.parse(document.toString().getBytes(UTF_8));
    switch (envelope.type()) {
      case "artifact.submit" -> ArtifactSubmit.of(envelope);
      case "decision.submit", "decision.deliver" -> DecisionSubmit.of(envelope);
      case "ack.submit" -> AckSubmit.of(envelope);
      default -> envelope.body();
    }
    return envelope;
  }

  @ParameterizedTest
  @CsvSource({
    "artifact, artifact.submit",
    "request, approval.request",
    "decision, decision.submit",
    "delivery, decision.deliver",
    "acknowledgment, ack.submit",
    "withdrawal, exchange.withdrawn",
    "refresh, refresh.request"
  })
  void eachEnvelopeIsRead(String name, String type) throws Exception {
    GatewayEnvelope envelope = read(vector(name));

    assertThat(envelope.type()).isEqualTo(type);
    assertThat(envelope.requestId()).isEqualTo("req-u6s2nku4oo");
    assertThat(envelope.json()).isEqualTo(vector(name));
  }

  @Test
  void whatTheBodiesSayIsFound() throws Exception {
    GatewayEnvelope submitted = read(vector("artifact"));
    ArtifactSubmit artifact = ArtifactSubmit.of(submitted);
    assertThat(submitted.senderEnforcer()).contains("enf-01");
    assertThat(artifact.artifactHash()).isEqualTo(HASH);
    assertThat(artifact.routingToken()).contains("rt-opaque-abc123");
    assertThat(artifact.metadata("repoName")).contains("harp-spec");

    DecisionSubmit decision = DecisionSubmit.of(read(vector("decision")));
    assertThat(decision.artifactHash()).isEqualTo(HASH);
    assertThat(decision.answer()).isEqualTo(Answer.ALLOW);
    assertThat(decision.reason()).map(GivenReason::text).contains("Looks good");
    assertThat(vector("delivery").get("body")).isEqualTo(vector("decision").get("body"));

    GatewayEnvelope delivered = read(vector("delivery"));
    assertThat(AckSubmit.of(read(vector("acknowledgment"))))
        .isEqualTo(new AckSubmit(delivered.messageId().orElseThrow(), true));
  }

  @ParameterizedTest
  @CsvSource({
    "artifact, /body/payload, {}, UNSUPPORTED",
    "artifact, /body/ciphertext/alg, '\"AES-256-GCM\"', UNSUPPORTED",
    "artifact, /body/ciphertext/data, 1, TRANSPORT",
    "artifact, /body/artifactHash, '\"sha256:fe94\"', TRANSPORT",
    "artifact, /body/expiresAt, '\"soon\"', TRANSPORT",
    "request, /requestId, 1, TRANSPORT",
    "request, /recipient/gatewayId, '\"gw-02\"', TRANSPORT",
    "decision, /body/decision, '\"allow\"', TRANSPORT",
    "decision, /body/nonce, 1, TRANSPORT",
    "decision, /body/artifactHash, '\"sha512:fe94\"', TRANSPORT",
    "delivery, /body/signature, {}, TRANSPORT",
    "acknowledgment, /body/status, '\"seen\"', TRANSPORT",
    "acknowledgment, /body/ackAt, '\"2026-02-24\"', TRANSPORT",
    "withdrawal, /createdAt, '\"2026-02-24\"', TRANSPORT",
    "withdrawal, /body, '\"Withdrawn\"', TRANSPORT",
    "refresh, /sender/phoneId, '\"p\"', TRANSPORT",
    "refresh, /sender, '\"gw-01\"', TRANSPORT"
  })
  void aFaultInAnEnvelopeIsRefusedWithItsCode(
      String name, String member, String value, HarpErrorCode code) throws Exception {
    ObjectNode faulty = vector(name);
    JsonPointer pointer = JsonPointer.compile(member);
    ((ObjectNode) faulty.at(pointer.head()))
        .set(pointer.last().getMatchingProperty(), MAPPER.readTree(value));

    assertThatThrownBy(() -> read(faulty))
        .isInstanceOfSatisfying(
            HarpException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }

  @ParameterizedTest
  @CsvSource({
    "artifact, artifactHash",
    "artifact, ciphertext",
    "artifact, expiresAt",
    "decision, signerKeyId",
    "decision, signature",
    "delivery, decision",
    "acknowledgment, msgId"
  })
  void aBodyWithoutOneOfItsMembersIsRefused(String name, String member) {
    ObjectNode faulty = vector(name);
    ((ObjectNode) faulty.get("body")).remove(member);

    assertThatThrownBy(() -> read(faulty))
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> assertThat(refused.code()).isEqualTo(HarpErrorCode.TRANSPORT));
  }

  @Test
  void presenceIsWrittenAsPublished() throws Exception {
    ListPresenceResponse.Builder list = ListPresenceResponse.newBuilder();
    for (JsonNode record : PublishedVectors.get("presence")) {
      Presence.Builder presence =
          Presence.newBuilder()
              .setEnforcerDeviceId(record.path("enforcerDeviceId").asText())
              .setOnline(record.path("status").asText().equals("online"))
              .setLastSeenAt(time(record.path("lastSeenAt").asText()))
              .setTransport(record.path("transport").asText())
              .setWorkspaceName(record.path("workspaceName").asText())
              .setEnforcerLabel(record.path("enforcerLabel").asText());
      record
          .path("capabilities")
          .properties()
          .forEach(each -> presence.putCapabilities(each.getKey(), each.getValue().asBoolean()));
      list.addData(presence);
    }

    assertThat(MAPPER.readTree(PresenceDocument.list(list.build()).toStringUtf8()))
        .isEqualTo(PublishedVectors.get("presence"));
  }

  @Test
  void thePairingIsReadAndWrittenAsPublished() throws Exception {
    InitiateRequest begun = PairingDocument.initiate(bytes(vector("pairing-initiate-request")));
    PairingOffer offer =
        PairingOffer.newBuilder()
            .setEnforcerId("enf-01")
            .setEnforcerLabel("Antigravity")
            .setWorkspaceName("airlock")
            .setPublicKey("BASE64URL_PUBLIC_KEY_PLACEHOLDER")
            .build();
    assertThat(begun.getOffer()).isEqualTo(offer);

    ObjectNode initiated = vector("pairing-initiate-response");
    String nonce = initiated.path("nonce").asText();
    Timestamp until = time(initiated.path("expiresAt").asText());
    assertThat(
            json(
                PairingDocument.initiated(
                    InitiateResponse.newBuilder()
                        .setCode("A1B2C3")
                        .setNonce(nonce)
                        .setExpiresAt(until)
                        .build())))
        .isEqualTo(initiated);

    // The relay says more than the vector: whom the device is to pair with, and until when.
    ObjectNode resolved =
        json(
            PairingDocument.resolved(
                ResolveResponse.newBuilder()
                    .setNonce(nonce)
                    .setOffer(offer)
                    .setExpiresAt(until)
                    .build()));
    assertThat(resolved.properties()).containsAll(vector("pairing-resolve-response").properties());

    CompleteRequest complete = PairingDocument.complete(bytes(vector("pairing-complete-request")));
    assertThat(complete.getNonce()).isEqualTo(nonce);
    assertThat(complete.getDevice().getApproverId()).isEqualTo("app-01");
    ObjectNode completed =
        json(
            PairingDocument.completed(
                CompleteResponse.newBuilder()
                    .setRoutingToken("rt-opaque-abc123")
                    .setOffer(offer)
                    .build()));
    assertThat(completed.properties())
        .containsAll(vector("pairing-complete-response").properties());
  }

  @ParameterizedTest
  @CsvSource({"initiate, enforcerId", "complete, nonce", "complete, approverId"})
  void aPairingWithoutOneOfItsMembersIsRefused(String step, String member) {
    ObjectNode faulty = vector("pairing-" + step + "-request").without(member);

    assertThatThrownBy(
            () -> {
              var unused =
                  step.equals("initiate")
                      ? PairingDocument.initiate(bytes(faulty))
                      : PairingDocument.complete(bytes(faulty));
            })
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refused -> assertThat(refused.error().status()).isEqualTo(400));
  }

  private static ByteString bytes(ObjectNode document) {
    return ByteString.copyFromUtf8(document.toString());
  }

  private static ObjectNode json(ByteString bytes) throws Exception {
    return (ObjectNode) MAPPER.readTree(bytes.toStringUtf8());
  }

  private static Timestamp time(String spelled) {
    return Timestamp.newBuilder().setSeconds(Instant.parse(spelled).getEpochSecond()).build();
  }
}
