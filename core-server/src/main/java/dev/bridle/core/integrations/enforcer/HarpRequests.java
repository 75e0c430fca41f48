package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.work.permission.OptionRules;
import dev.bridle.core.work.permission.PermissionListener;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskCreationRules;
import dev.bridle.harp.error.HarpException;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.record.v1.HarpRequestRecord;
import dev.bridle.record.v1.HarpRequestState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Makes and ends requests for signed decisions, in the transactions in which permission requests
 * are asked, answered, delegated and closed. Each device that may answer is asked by a request of
 * its own, so that a relay that takes an invalid decision for one spoils no other.
 */
public final class HarpRequests implements PermissionListener {
  /** The most devices that are asked about one permission request. */
  static final int MAX_DEVICES = 32;

  private static final Duration RETENTION = Duration.ofDays(1);
  private static final int SALT_BYTES = 32;

  private final HarpRequestStore store;
  private final Configurations configurations;
  private final ReceiptKeys keys;
  private volatile BiConsumer<String, String> changed = (tenant, requestId) -> {};

  HarpRequests(CoreContext context, HarpRequestStore store) {
    this.store = store;
    this.configurations = context.configurations();
    this.keys = new ReceiptKeys(new SigningKeys(context));
  }

  /**
   * Sets who hears, after the command that has changed it, of a tenant and a request that something
   * is to be done with. The due index says the same, later.
   */
  void onChange(BiConsumer<String, String> listener) {
    changed = listener;
  }

  private void notifyAfterwards(Write write, String requestId) {
    String tenant = write.tenant();
    write.afterwards(() -> changed.accept(tenant, requestId));
  }

  @Override
  public void changed(TaskChange change, PermissionRequest request) {
    if (nobodyHasADevice(change.write())) {
      return;
    }
    List<ApprovalDevice> devices = devices(change, request);
    List<HarpRequestRecord> before =
        store.about(change.write().tr(), change.write().tenant(), request.getId());
    Set<String> asked =
        before.stream().map(HarpRequestRecord::getApprovalDeviceId).collect(Collectors.toSet());
    Set<String> eligible = devices.stream().map(ApprovalDevice::getId).collect(Collectors.toSet());
    before.stream()
        .filter(record -> isOpen(record) && !eligible.contains(record.getApprovalDeviceId()))
        .forEach(
            record ->
                end(
                    change.write(),
                    record,
                    "Another device or approver has answered.",
                    QuestionEnd.signed(change.write(), keys, record, request)));
    devices.stream()
        .filter(device -> !asked.contains(device.getId()))
        .limit(Math.max(0, MAX_DEVICES - asked.size()))
        .forEach(device -> ask(change, request, device, 0));
  }

  /** Where no device was ever enrolled, which is remembered, nothing is read for that. */
  private boolean nobodyHasADevice(Write write) {
    return !ApprovalDevices.anyEnrolled(configurations.of(write.tr(), write.tenant()));
  }

  /** Returns the devices whose decisions could count now. */
  private List<ApprovalDevice> devices(TaskChange change, PermissionRequest request) {
    List<ApprovalChannel> channels = request.getRequest().getPolicy().getChannelsList();
    boolean taken = channels.isEmpty() || channels.contains(ApprovalChannel.APPROVAL_CHANNEL_HARP);
    if (!taken || !PermissionArtifact.fits(request)) {
      return List.of();
    }
    // A gateway's own message has no place for the option that a person has to choose.
    boolean needsChoice = OptionRules.needChoice(request.getRequest().getOptionsList());
    List<String> approvers = request.getRequest().getApproversList();
    Set<String> answered =
        request.getResponse().getAnswersList().stream()
            .map(PermissionAnswer::getActor)
            .collect(Collectors.toSet());
    Write write = change.write();
    Set<String> excluded =
        request.getRequest().getPolicy().getNotSubmitter()
            ? TaskCreationRules.submitters(change.record())
            : Set.of();
    return ApprovalDevices.good(configurations.of(write.tr(), write.tenant())).stream()
        .filter(device -> approvers.isEmpty() || approvers.contains(device.getPrincipal()))
        .filter(device -> !answered.contains(device.getPrincipal()))
        .filter(device -> !excluded.contains(device.getPrincipal()))
        .filter(device -> device.getOpensExtensions() || !needsChoice)
        .toList();
  }

  /** Asks a device, and says so in the task's events. */
  void ask(TaskChange change, PermissionRequest request, ApprovalDevice device, int reissued) {
    Write write = change.write();
    long now = write.nowMillis();
    HarpRequestRecord.Builder made =
        HarpRequestRecord.newBuilder()
            .setRequestId(write.id("harp"))
            .setPermissionRequestId(request.getId())
            .setTaskId(request.getTaskId())
            .setApprovalDeviceId(device.getId())
            .setSalt(ByteString.copyFrom(write.salt(SALT_BYTES)))
            .setCreatedAt(now)
            .setExpiresAt(Timestamps.toMillis(request.getRequest().getExpiresAt()))
            .setState(HarpRequestState.HARP_REQUEST_STATE_CREATED)
            .setDueAt(now)
            .setReissued(reissued)
            .setShowsGrants(true)
            .setShowsSaid(true)
            .setTakesReason(true)
            .setEra(write.order().era());
    Payload facts =
        Payload.of()
            .text("permission_request_id", request.getId())
            .text("approval_device_id", device.getId())
            .text("principal", device.getPrincipal());
    made.setRequestsActions(
        device.getOpensExtensions() && RequestedButtons.of(request).isPresent());
    try {
      keys.sign(write, PermissionArtifact.statement(made.build(), request))
          .ifPresent(issuer -> made.setIssuer(ByteString.copyFrom(CanonicalJson.bytes(issuer))));
      made.setArtifactHash(PermissionArtifact.of(made.build(), request).hash());
    } catch (HarpException e) {
      // Other channels are left; with none, the request expires, and its events say why.
      change.emit(
          EventDraft.of(
              EventKinds.DECISION_REFUSED,
              facts.text("code", e.code().spelled()).text("reason", e.getMessage())));
      return;
    }
    store.insert(write, made.build());
    change.emit(
        EventDraft.of(
            EventKinds.DECISION_REQUESTED,
            facts
                .text("request_id", made.getRequestId())
                .text("artifact_hash", "sha256:" + made.getArtifactHash())));
    notifyAfterwards(write, made.getRequestId());
  }

  @Override
  public void closed(TaskChange change, PermissionRequest request) {
    Write write = change.write();
    if (nobodyHasADevice(write)) {
      return;
    }
    boolean timeIsOver =
        request.getResponse().getReason() == PermissionReason.PERMISSION_REASON_TIMED_OUT;
    for (HarpRequestRecord record : store.about(write.tr(), write.tenant(), request.getId())) {
      if (!isOpen(record)) {
        continue;
      }
      if (timeIsOver) {
        store.update(
            write,
            record,
            ended(record, HarpRequestState.HARP_REQUEST_STATE_EXPIRED, write.nowMillis()).build());
      } else {
        end(write, record, why(request), QuestionEnd.signed(write, keys, record, request));
      }
    }
  }

  private static String why(PermissionRequest request) {
    List<PermissionAnswer> answers = request.getResponse().getAnswersList();
    if (request.getResponse().getReason() == PermissionReason.PERMISSION_REASON_CHANGED) {
      return "The agent has changed what it asks for.";
    }
    return answers.isEmpty()
        ? "The agent does not wait for it any more."
        : "It was answered by " + answers.get(answers.size() - 1).getActor() + ".";
  }

  /** Takes an open request back, and has the relay withdraw it afterwards. */
  void end(Write write, HarpRequestRecord record, String reason) {
    end(write, record, reason, ByteString.EMPTY);
  }

  private void end(Write write, HarpRequestRecord record, String reason, ByteString signedEnd) {
    HarpRequestRecord.Builder ended =
        ended(record, HarpRequestState.HARP_REQUEST_STATE_WITHDRAWN, write.nowMillis());
    owe(write, record, ended.setEnd(signedEnd), reason);
  }

  /** Has the relay withdraw a request that has ended here. */
  void owe(Write write, HarpRequestRecord ended, String reason) {
    owe(write, ended, ended.toBuilder(), reason);
  }

  private void owe(
      Write write, HarpRequestRecord before, HarpRequestRecord.Builder after, String reason) {
    store.update(
        write,
        before,
        after
            .setReason(reason)
            .setWithdrawalOwed(true)
            .setFailures(0)
            .setDueAt(write.nowMillis())
            .build());
    notifyAfterwards(write, before.getRequestId());
  }

  /** Returns a request in a state that ends it, to be removed once its retention is over. */
  static HarpRequestRecord.Builder ended(
      HarpRequestRecord record, HarpRequestState state, long now) {
    return record.toBuilder().setState(state).setDueAt(removedAt(record, now));
  }

  /** Returns when an ended request is removed: not before its decision could be replayed. */
  static long removedAt(HarpRequestRecord record, long now) {
    return Math.max(now, record.getExpiresAt()) + RETENTION.toMillis();
  }

  /** Returns whether a decision may still be accepted. */
  static boolean isOpen(HarpRequestRecord record) {
    return record.getState() == HarpRequestState.HARP_REQUEST_STATE_CREATED
        || record.getState() == HarpRequestState.HARP_REQUEST_STATE_AWAITING_DECISION;
  }
}
