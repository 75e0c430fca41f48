package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.record.v1.DeviceNotice;
import dev.bridle.record.v1.DeviceNoticesRecord;
import dev.bridle.record.v1.DeviceTest;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Mailbox;
import dev.bridle.storage.layer.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Notices of this server that wait in the inboxes of approvers, each sealed for one device. The
 * newest {@link #MOST} of a device are kept, those that were received without their content.
 */
public final class ApproverNotices {
  /** The most notices that are kept for a device. */
  public static final int MOST = 16;

  /** The most devices of one approver whose notices are read. */
  private static final int MOST_DEVICES = 500;

  private final RecordStore<DeviceNoticesRecord> records;
  private final Mailbox mailbox;

  /** Creates the store. */
  public ApproverNotices(CoreContext context) {
    this.records = RelayRecords.NOTICES.store(context.layout());
    this.mailbox = new Mailbox(context.layout());
  }

  /** Returns what is kept for a device; an empty record if there is nothing. */
  public DeviceNoticesRecord of(ReadTransaction tr, String tenant, ApprovalDevice device) {
    return records
        .get(tr, tenant, id(device))
        .orElseGet(
            () ->
                DeviceNoticesRecord.newBuilder()
                    .setApproverId(device.getApproverId())
                    .setApprovalDeviceId(device.getId())
                    .build());
  }

  /**
   * Puts a notice into the inbox of a device's approver, and wakes its channels.
   *
   * @param sealed what the inbox shows of it, as JSON
   */
  public void post(Write write, ApprovalDevice device, String noticeId, ByteString sealed) {
    change(write, device, notices -> notices.addNotices(notice(noticeId, sealed)));
  }

  /**
   * Posts the notice of a test as {@link #post} does. It takes the place of the last test's.
   *
   * @param testedAt when the last tests were sent that still count, with this one
   */
  public void postTest(
      Write write, ApprovalDevice device, String noticeId, ByteString sealed, List<Long> testedAt) {
    change(
        write,
        device,
        notices -> {
          List<DeviceNotice> others =
              notices.getNoticesList().stream()
                  .filter(notice -> !notice.getId().equals(notices.getTest().getNoticeId()))
                  .toList();
          return notices
              .clearNotices()
              .addAllNotices(others)
              .addNotices(notice(noticeId, sealed))
              .setTest(DeviceTest.newBuilder().setNoticeId(noticeId).setSentAt(write.nowMillis()))
              .clearTestedAt()
              .addAllTestedAt(testedAt);
        });
  }

  private static DeviceNotice notice(String id, ByteString sealed) {
    return DeviceNotice.newBuilder().setId(id).setSealed(sealed).build();
  }

  private void change(
      Write write, ApprovalDevice device, UnaryOperator<DeviceNoticesRecord.Builder> change) {
    String id = id(device);
    Optional<DeviceNoticesRecord> before = records.get(write.tr(), write.tenant(), id);
    DeviceNoticesRecord.Builder changed =
        change.apply(of(write.tr(), write.tenant(), device).toBuilder());
    List<DeviceNotice> kept = newest(changed.getNoticesList());
    DeviceNoticesRecord after = changed.clearNotices().addAllNotices(kept).build();
    before.ifPresentOrElse(
        known -> records.update(write.tr(), write.tenant(), id, known, after),
        () -> records.insert(write.tr(), write.tenant(), id, after));
    mailbox.wake(write.tr(), write.tenant(), PartyId.approver(device.getApproverId()).key());
  }

  /** What was received goes first. */
  private static List<DeviceNotice> newest(List<DeviceNotice> notices) {
    List<DeviceNotice> kept = new ArrayList<>(notices);
    while (kept.size() > MOST) {
      Optional<DeviceNotice> received =
          kept.stream().filter(notice -> notice.getReceivedAt() != 0).findFirst();
      kept.remove(received.orElse(kept.get(0)));
    }
    return kept;
  }

  /** Removes what is kept for a device. */
  public void remove(Write write, ApprovalDevice device) {
    records.remove(write.tr(), write.tenant(), id(device));
  }

  /** Returns the notices of an approver that were not received. */
  List<DeviceNotice> waiting(ReadTransaction tr, String tenant, String approverId) {
    return all(tr, tenant, approverId).stream()
        .flatMap(record -> record.getNoticesList().stream())
        .filter(notice -> notice.getReceivedAt() == 0)
        .toList();
  }

  private List<DeviceNoticesRecord> all(ReadTransaction tr, String tenant, String approverId) {
    String prefix = RelayRecords.noticesId(approverId, "");
    return records.withPrefix(tr, tenant, prefix, prefix, MOST_DEVICES).stream()
        .filter(record -> record.getApproverId().equals(approverId))
        .toList();
  }

  /** Stores that a notice of an approver has arrived; empty if there is none of that id. */
  Optional<DeviceNotice> acknowledge(
      Write write, String approverId, String noticeId, boolean processed) {
    for (DeviceNoticesRecord before : all(write.tr(), write.tenant(), approverId)) {
      for (int i = 0; i < before.getNoticesCount(); i++) {
        if (before.getNotices(i).getId().equals(noticeId)) {
          DeviceNoticesRecord after = acknowledged(before, i, processed, write.nowMillis());
          if (!after.equals(before)) {
            records.update(
                write.tr(),
                write.tenant(),
                RelayRecords.NOTICES.idOf(after).orElseThrow(),
                before,
                after);
          }
          return Optional.of(after.getNotices(i));
        }
      }
    }
    return Optional.empty();
  }

  private static DeviceNoticesRecord acknowledged(
      DeviceNoticesRecord before, int at, boolean processed, long now) {
    DeviceNoticesRecord.Builder after = before.toBuilder();
    DeviceNotice.Builder notice = after.getNoticesBuilder(at).clearSealed();
    if (notice.getReceivedAt() == 0) {
      notice.setReceivedAt(now);
    }
    if (processed && notice.getProcessedAt() == 0) {
      notice.setProcessedAt(now);
    }
    boolean isTest = before.getTest().getNoticeId().equals(notice.getId());
    if (isTest && before.getTest().getReceivedAt() == 0) {
      after.getTestBuilder().setReceivedAt(now);
    }
    return after.build();
  }

  private static String id(ApprovalDevice device) {
    return RelayRecords.noticesId(device.getApproverId(), device.getId());
  }
}
