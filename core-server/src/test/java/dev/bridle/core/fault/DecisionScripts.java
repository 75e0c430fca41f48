package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.integrations.relay.RelayClient;
import dev.bridle.core.integrations.relay.SampleEnvelopes;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.Scope;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalDeviceRequest;
import dev.bridle.permission.v1.RevokeApprovalDeviceRequest;
import dev.bridle.relay.v1.EnforcerServiceGrpc;
import dev.bridle.relay.v1.SubmitCoreDecisionRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Permission requests that devices of approvers answer. See {@link Scenarios}. */
final class DecisionScripts {
  private static final Duration DAY = Duration.ofDays(1);
  private static final DeviceKeys ADAS = DeviceKeys.create(new KnownRandom(1));
  private static final DeviceKeys BENS = DeviceKeys.create(new KnownRandom(2));

  private DecisionScripts() {}

  static void signed(World world) {
    RelaySteps.approvers(world);
    enrol(world, ADAS, RelaySteps.FIRST, "key-1");
    String bens = enrol(world, BENS, RelaySteps.SECOND, "key-2");
    Task task = TaskSteps.submit(world, "key-3");
    RequestPermissionResponse asked = PermissionSteps.may(world, world.lease("w1"), DAY);
    assertThat(asked.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    JsonNode request = awaitOne(world, RelaySteps.FIRST);
    var unusedOther = awaitOne(world, RelaySteps.SECOND);

    ByteString decision = decision(world, request);
    assertThat(RelaySteps.decide(world, decision)).isIn("decided", "delivered");
    assertThat(RelaySteps.decide(world, decision)).isIn("decided", "delivered");

    TaskLease lease = world.lease("w1");
    RequestPermissionResponse allowed = PermissionSteps.may(world, lease, DAY);
    assertThat(allowed.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    assertThat(allowed.getRequestId()).isEqualTo(asked.getRequestId());
    awaitNone(world, RelaySteps.SECOND);
    var unusedTask = TaskSteps.complete(world, lease);
    revoke(world, bens, "key-4");
    forget(world);
    world
        .expected()
        .completed(
            task.getId(),
            "tool.approval_required",
            "task.auth_required",
            "user.tool_confirmation",
            "tool.approved",
            "task.status_changed",
            "vendor.bridle.permission_used");
  }

  static void whole(World world) {
    RelaySteps.approvers(world);
    var unusedDevice = enrol(world, ADAS, RelaySteps.FIRST, "key-1");
    Task task = TaskSteps.submit(world, "key-2");
    RequestPermissionResponse asked = PermissionSteps.may(world, world.lease("w1"), DAY);
    assertThat(asked.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    Artifact shown = open(awaitOne(world, RelaySteps.FIRST));
    Decision.Content forSession =
        once(world, shown)
            .withScope(Scope.SESSION, Optional.of(task.getSessionId()), Optional.empty());
    ByteString document = ByteString.copyFromUtf8(sign(forSession).json().toString());

    for (int times = 0; times < 2; times++) {
      assertThat(decideWhole(world, document)).isEqualTo("decided");
    }

    awaitNone(world, RelaySteps.FIRST);
    TaskLease lease = world.lease("w1");
    assertThat(PermissionSteps.may(world, lease, DAY).getRequestId())
        .isEqualTo(asked.getRequestId());
    var unusedTask = TaskSteps.complete(world, lease);
    forget(world);
    world
        .expected()
        .completed(
            task.getId(),
            "tool.approval_required",
            "task.auth_required",
            "user.tool_confirmation",
            "vendor.bridle.permission_granted",
            "tool.approved",
            "task.status_changed",
            "vendor.bridle.permission_used");
  }

  private static String decideWhole(World world, ByteString document) {
    SubmitCoreDecisionRequest request =
        SubmitCoreDecisionRequest.newBuilder().setDocument(document).build();
    return SampleEnvelopes.json(
            world.call(
                "decide whole",
                channel ->
                    EnforcerServiceGrpc.newBlockingStub(channel)
                        .submitCoreDecision(request)
                        .getEnvelope()))
        .at("/body/state")
        .asText();
  }

  /** Lets the times pass for which ended requests are kept, at the relay and by its enforcer. */
  private static void forget(World world) {
    for (Duration kept : List.of(Duration.ofDays(8), DAY.plusHours(1))) {
      world.pass(kept);
      world.leaseTimePasses();
      world.leaseTimePasses();
    }
  }

  private static String enrol(World world, DeviceKeys keys, String approver, String key) {
    ObjectNode halves = keys.publicHalves();
    CreateApprovalDeviceRequest request =
        CreateApprovalDeviceRequest.newBuilder()
            .setPrincipal(approver)
            .setApproverId(approver)
            .setSignerKeyId(keys.signerKeyId())
            .setSigningKey(halves.get("signingKey").textValue())
            .setAgreementKey(halves.get("agreementKey").textValue())
            .build();
    return world
        .callOnce(
            "enrol",
            key,
            channel ->
                ApprovalDeviceServiceGrpc.newBlockingStub(channel).createApprovalDevice(request))
        .getId();
  }

  private static void revoke(World world, String device, String key) {
    RevokeApprovalDeviceRequest request =
        RevokeApprovalDeviceRequest.newBuilder().setApprovalDeviceId(device).build();
    var unused =
        world.callOnce(
            "revoke device",
            key,
            channel ->
                ApprovalDeviceServiceGrpc.newBlockingStub(channel).revokeApprovalDevice(request));
  }

  /** Waits for what one device is asked: the outbox sends it from time to time. */
  private static JsonNode awaitOne(World world, String approver) {
    List<JsonNode> requests =
        world.timePassesUntil(
            found -> !found.isEmpty(),
            "read inbox",
            channel -> new RelayClient(channel).requests(approver));
    assertThat(requests).hasSize(1);
    return requests.get(0);
  }

  private static void awaitNone(World world, String approver) {
    List<JsonNode> requests =
        world.timePassesUntil(
            List::isEmpty, "read inbox", channel -> new RelayClient(channel).requests(approver));
    assertThat(requests).isEmpty();
  }

  private static Artifact open(JsonNode request) {
    try {
      return ArtifactSubmit.sealed(
              request.get("requestId").textValue(),
              request.at("/body/artifactHash").textValue(),
              (ObjectNode) request.at("/body/ciphertext"))
          .open(ADAS.agreement());
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  private static Decision.Content once(World world, Artifact shown) {
    Instant now = Instant.ofEpochMilli(Timestamps.toMillis(world.now()));
    return Decision.Content.once(
        Decision.Subject.of(shown), Answer.ALLOW, now.plus(Duration.ofHours(1)), "n1");
  }

  private static Decision sign(Decision.Content content) {
    try {
      return Decision.sign(content, ADAS.signerKeyId(), ADAS.signing());
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  private static ByteString decision(World world, JsonNode request) {
    try {
      Artifact shown = open(request);
      Decision decision = sign(once(world, shown));
      ObjectNode envelope =
          JsonNodeFactory.instance
              .objectNode()
              .put("msgType", "decision.submit")
              .put("requestId", shown.requestId())
              .put("createdAt", "2020-01-01T00:00:00Z")
              .put("expiresAt", decision.json().get("expiresAt").textValue());
      envelope.putObject("sender").put("approverId", RelaySteps.FIRST);
      envelope.set("body", DecisionSubmit.body(decision, Optional.empty()));
      return ByteString.copyFromUtf8(envelope.toString());
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }
}
