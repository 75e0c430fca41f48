package dev.bridle.core.integrations.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.work.permission.AskedTasks;
import dev.bridle.event.v1.Event;
import dev.bridle.harp.core.Artifact;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc.ApprovalDeviceServiceBlockingStub;
import dev.bridle.permission.v1.ApprovalRuleServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalRuleRequest;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RevokeApprovalDeviceRequest;
import dev.bridle.worker.v1.TaskLease;
import java.util.List;
import java.util.function.UnaryOperator;

/** A core with a worker that asks, and devices of people who answer. */
abstract class AskedDevices extends AskedTasks {
  final ApprovalDeviceServiceBlockingStub devices() {
    return ApprovalDeviceServiceGrpc.newBlockingStub(core.owner());
  }

  final void revoke(Phone phone) {
    var unused =
        devices()
            .revokeApprovalDevice(
                RevokeApprovalDeviceRequest.newBuilder()
                    .setApprovalDeviceId(phone.device().getId())
                    .build());
  }

  final void rule(String name, UnaryOperator<CreateApprovalRuleRequest.Builder> rule) {
    var unused =
        ApprovalRuleServiceGrpc.newBlockingStub(core.owner())
            .createApprovalRule(
                rule.apply(CreateApprovalRuleRequest.newBuilder().setName(name)).build());
  }

  static Artifact awaitAsked(Phone phone) {
    await().until(() -> !phone.asked().isEmpty());
    return phone.asked().get(0);
  }

  /** Waits for what a device is asked beside something that it was asked before. */
  static Artifact awaitAnother(Phone phone, Artifact known) {
    await()
        .until(
            () ->
                phone.asked().stream().anyMatch(one -> !one.requestId().equals(known.requestId())));
    return phone.asked().stream()
        .filter(one -> !one.requestId().equals(known.requestId()))
        .findFirst()
        .orElseThrow();
  }

  final PermissionRequest awaitStatus(String request, PermissionStatus status) {
    await().untilAsserted(() -> assertThat(read(request).getStatus()).isEqualTo(status));
    return read(request);
  }

  final List<String> refusals(TaskLease lease) {
    return core.eventsOf(lease.getTask().getId()).stream()
        .filter(event -> event.getEvent().equals("vendor.bridle.decision_refused"))
        .map(Event::getPayload)
        .map(payload -> payload.toStringUtf8())
        .toList();
  }
}
