package dev.bridle.core.integrations.notice;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.integrations.relay.ApproverNotices;
import dev.bridle.core.integrations.relay.ApproverPresence;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.work.policy.DeviceListener;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.ApprovalDeviceTest;
import dev.bridle.record.v1.DeviceNoticesRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends devices at this server's own relay notices that it signs: that a device was enrolled, to
 * each other one, and tests. Devices that are asked over relays elsewhere get none.
 */
public final class DeviceNotices implements DeviceListener {
  /** How many tests of a device are sent in a minute. */
  static final int TESTS_PER_MINUTE = 4;

  private static final long MINUTE_MILLIS = 60_000;
  private static final String ID_PREFIX = "notice";

  private final SignedNotice notices;
  private final ApproverNotices inboxes;
  private final ApproverPresence presence;

  /** Creates the sender. */
  public DeviceNotices(CoreContext context) {
    this.notices = new SignedNotice(new ReceiptKeys(new SigningKeys(context)));
    this.inboxes = new ApproverNotices(context);
    this.presence = new ApproverPresence(context);
  }

  @Override
  public void enrolled(Write write, ApprovalDevice device, List<ApprovalDevice> others) {
    for (ApprovalDevice other : others) {
      if (!other.hasRelay()) {
        String id = write.id(ID_PREFIX);
        notices
            .enrolled(write, other, id, device)
            .ifPresent(notice -> inboxes.post(write, other, id, notice));
      }
    }
  }

  @Override
  public void revoked(Write write, ApprovalDevice device) {
    inboxes.remove(write, device);
  }

  /**
   * Sends a device a test.
   *
   * @throws ProtocolException {@code conflict} if the device can't receive it, or {@code
   *     rate_limited}
   */
  void test(Write write, ApprovalDevice device) {
    needReachable(write.tr(), write.tenant(), device);
    List<Long> sent = lastMinute(write, device);
    if (sent.size() >= TESTS_PER_MINUTE) {
      long wait = sent.get(0) + MINUTE_MILLIS - write.nowMillis();
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_RATE_LIMITED,
              "The device was tested "
                  + TESTS_PER_MINUTE
                  + " times in the last minute; try again later.")
          .with("max_tests_per_minute", TESTS_PER_MINUTE)
          .retryAfter((int) ((wait + 999) / 1000));
    }
    sent.add(write.nowMillis());
    String id = write.id(ID_PREFIX);
    ByteString notice =
        notices
            .test(write, device, id)
            .orElseThrow(
                () ->
                    conflict(
                        "This server signs nothing, so a device could not verify a notice: give"
                            + " it a master key."));
    inboxes.postTest(write, device, id, notice, sent);
  }

  private void needReachable(ReadTransaction tr, String tenant, ApprovalDevice device) {
    if (device.hasRevokedAt()) {
      throw conflict(
          "The device was removed at "
              + Timestamps.toString(device.getRevokedAt())
              + ", and is sent nothing any more.");
    }
    if (device.hasRelay()) {
      throw conflict(
          "The device is asked over the relay '"
              + device.getRelay()
              + "' elsewhere, which delivers no notices of this server.");
    }
    if (!presence.isGood(tr, tenant, device.getApproverId())) {
      throw conflict(
          "Nobody is the approver '"
              + device.getApproverId()
              + "' at this server's relay, so that the device can't read its inbox.");
    }
  }

  private static ProtocolException conflict(String sentence) {
    return ProtocolException.of(ErrorCode.ERROR_CODE_CONFLICT, sentence);
  }

  private List<Long> lastMinute(Write write, ApprovalDevice device) {
    List<Long> sent = new ArrayList<>();
    for (long at : inboxes.of(write.tr(), write.tenant(), device).getTestedAtList()) {
      // A clock that was set back must not lock the device out for long.
      if (at <= write.nowMillis() && write.nowMillis() - at < MINUTE_MILLIS) {
        sent.add(at);
      }
    }
    return sent;
  }

  /** Returns the last test of a device, and whether the device is connected. */
  ApprovalDeviceTest shown(ReadTransaction tr, String tenant, ApprovalDevice device, long now) {
    ApprovalDeviceTest.Builder shown =
        ApprovalDeviceTest.newBuilder().setApprovalDeviceId(device.getId());
    DeviceNoticesRecord record = inboxes.of(tr, tenant, device);
    if (record.hasTest()) {
      shown
          .setNoticeId(record.getTest().getNoticeId())
          .setSentAt(Timestamps.fromMillis(record.getTest().getSentAt()));
    }
    if (record.getTest().getReceivedAt() != 0) {
      shown.setReceivedAt(Timestamps.fromMillis(record.getTest().getReceivedAt()));
    }
    ApproverPresence.Presence there = presence.of(tr, tenant, device.getApproverId(), now);
    there.lastSeenAt().ifPresent(at -> shown.setLastSeenAt(Timestamps.fromMillis(at)));
    return shown.setConnected(there.isConnected()).build();
  }
}
