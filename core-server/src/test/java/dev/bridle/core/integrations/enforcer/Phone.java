package dev.bridle.core.integrations.enforcer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.relay.RelayClient;
import dev.bridle.core.server.TestCore;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalDeviceRequest;
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
  private final ApprovalDevice device;

  private Phone(TestCore core, String principal, String approver) {
    this.approver = approver;
    this.relay = new RelayClient(core.as(approver + "-phone", List.of("harp:approve"), List.of()));
    new RelayClient(core.as("root", List.of("harp:admin"), List.of()))
        .approver(approver, approver + "-phone");
    this.device =
        ApprovalDeviceServiceGrpc.newBlockingStub(core.owner())
            .createApprovalDevice(enrolment(keys, principal, approver).build());
  }

  /** Returns a new device of a person, which is enrolled. */
  static Phone of(TestCore core, String principal, String approver) {
    return new Phone(core, principal, approver);
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
    return signed(
        Decision.Content.once(
            Decision.Subject.of(about),
            answer,
            Instant.now().plus(Duration.ofMinutes(5)),
            UUID.randomUUID().toString()));
  }

  ObjectNode signed(Decision.Content content) {
    try {
      Decision decision = Decision.sign(content, keys.signerKeyId(), keys.signing());
      ObjectNode submission = JsonNodeFactory.instance.objectNode();
      submission.put("expiresAt", decision.json().get("expiresAt").textValue());
      submission.set("body", DecisionSubmit.body(decision, Optional.of("Seen on the phone.")));
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
