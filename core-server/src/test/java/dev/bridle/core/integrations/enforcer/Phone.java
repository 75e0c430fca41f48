package dev.bridle.core.integrations.enforcer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.relay.RelayClient;
import dev.bridle.core.integrations.relay.SampleEnvelopes;
import dev.bridle.core.server.TestCore;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalDeviceRequest;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.relay.v1.EnforcerServiceGrpc;
import dev.bridle.relay.v1.SubmitCoreDecisionRequest;
import io.grpc.Channel;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A device of an approver: its keys, and its place at the relay. */
final class Phone {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final DeviceKeys keys = DeviceKeys.create(RANDOM);
  private final String approver;
  private final RelayClient relay;
  private final EnforcerServiceGrpc.EnforcerServiceBlockingStub server;
  private final ApprovalDevice device;

  private Phone(TestCore core, String principal, String approver, boolean opensExtensions) {
    this.approver = approver;
    Channel own = core.as(approver + "-phone", List.of("harp:approve"), List.of());
    this.relay = new RelayClient(own);
    this.server = EnforcerServiceGrpc.newBlockingStub(own);
    new RelayClient(core.as("root", List.of("harp:admin"), List.of()))
        .approver(approver, approver + "-phone");
    this.device =
        ApprovalDeviceServiceGrpc.newBlockingStub(core.owner())
            .createApprovalDevice(
                enrolment(keys, principal, approver).setOpensExtensions(opensExtensions).build());
  }

  /** Returns a new device of a person, which is enrolled. */
  static Phone of(TestCore core, String principal, String approver) {
    return new Phone(core, principal, approver, false);
  }

  /** Returns one that opens extensions. */
  static Phone withExtensions(TestCore core, String principal, String approver) {
    return new Phone(core, principal, approver, true);
  }

  static CreateApprovalDeviceRequest.Builder enrolment(
      DeviceKeys keys, String principal, String approver) {
    ObjectNode halves = keys.publicHalves();
    return CreateApprovalDeviceRequest.newBuilder()
        .setPrincipal(principal)
        .setApproverId(approver)
        .setSignerKeyId(keys.signerKeyId())
        .setSigningKey(halves.get("signingKey").textValue())
        .setAgreementKey(halves.get("agreementKey").textValue());
  }

  ApprovalDevice device() {
    return device;
  }

  RelayClient relay() {
    return relay;
  }

  /** Returns what waits for this device, opened. */
  List<Artifact> asked() {
    return relay.requests(approver).stream().map(this::open).toList();
  }

  private Artifact open(JsonNode envelope) {
    try {
      JsonNode body = envelope.get("body");
      return ArtifactSubmit.sealed(
              envelope.get("requestId").textValue(),
              body.get("artifactHash").textValue(),
              (ObjectNode) body.get("ciphertext"))
          .open(keys.agreement());
    } catch (HarpException e) {
      throw new AssertionError("what was sent can't be opened", e);
    }
  }

  /** Signs a decision about an artifact, and sends it. */
  void decide(Artifact about, Answer answer) {
    send(about.requestId(), signed(about, answer));
  }

  /** Returns the body of a decision that this device has signed. */
  ObjectNode signed(Artifact about, Answer answer) {
    return signed(once(about, answer));
  }

  /** Returns what a decision for a single use says. */
  static Decision.Content once(Artifact about, Answer answer) {
    return Decision.Content.once(
        Decision.Subject.of(about),
        answer,
        Instant.now().plus(Duration.ofMinutes(5)),
        UUID.randomUUID().toString());
  }

  Decision sign(Decision.Content content) {
    try {
      return Decision.sign(content, keys.signerKeyId(), keys.signing());
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns a decision with a hint that is signed, as JSON. */
  ObjectNode hinted(Artifact about, String hint) {
    ObjectNode json = once(about, Answer.ALLOW).signable(keys.signerKeyId(), "allow");
    json.putObject("policyHints").put("note", hint);
    try {
      byte[] signature = keys.signing().sign(HarpJson.canonical(json));
      return json.put("signature", Base64Url.encode(signature));
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  Decision signedWithHint(Artifact about, String hint) {
    try {
      return Decision.of(hinted(about, hint));
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends a whole decision to the server itself, and returns its answer. */
  JsonNode sendWhole(Decision decision) {
    return sendJson(decision.json());
  }

  JsonNode sendJson(ObjectNode decision) {
    return SampleEnvelopes.json(
        server
            .submitCoreDecision(
                SubmitCoreDecisionRequest.newBuilder()
                    .setDocument(ByteString.copyFromUtf8(decision.toString()))
                    .build())
            .getEnvelope());
  }

  ObjectNode signed(Decision.Content content) {
    return submission(sign(content), Optional.empty());
  }

  /** Returns a decision as it is sent to the relay. */
  ObjectNode submission(Decision decision, Optional<String> button) {
    return submission(decision, button, GivenReason.unsigned("Seen on the phone."));
  }

  /** Returns a decision with a reason, which may be signed, as it is sent to the relay. */
  ObjectNode submission(Decision decision, GivenReason reason) {
    return submission(decision, Optional.empty(), reason);
  }

  private static ObjectNode submission(
      Decision decision, Optional<String> button, GivenReason reason) {
    try {
      ObjectNode submission = JsonNodeFactory.instance.objectNode();
      submission.put("expiresAt", decision.json().get("expiresAt").textValue());
      submission.set("body", DecisionSubmit.body(decision, Optional.of(reason)));
      DecisionSubmit.trace(decision, button, Optional.of(reason))
          .ifPresent(trace -> submission.set("trace", trace));
      return submission;
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends a decision, whatever it is: the relay does not verify it. */
  void send(String request, ObjectNode submission) {
    ObjectNode envelope =
        JsonNodeFactory.instance
            .objectNode()
            .put("msgType", "decision.submit")
            .put("requestId", request)
            .put("createdAt", "2020-01-01T00:00:00Z");
    envelope.putObject("sender").put("approverId", approver);
    envelope.setAll(submission);
    var unused = relay.decide(ByteString.copyFromUtf8(envelope.toString()));
  }
}
