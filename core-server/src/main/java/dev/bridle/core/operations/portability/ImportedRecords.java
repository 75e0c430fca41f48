package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.workspace.MachineFolder;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ImportedLog;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.workspace.v1.Workspace;
import java.util.Arrays;

/**
 * Records that are stored otherwise than a file has them, so that nothing here is taken for what
 * only the file says.
 *
 * <ul>
 *   <li>A live task is parked. As of an ended one that is owed a receipt, and of any of a file that
 *       nobody vouches for, receipts that are made here are signed with a key of this installation,
 *       and say which events came from the file.
 *   <li>The end of a chain is marked: that it is the end, only its own installation can say.
 *   <li>A workspace that is a folder of a machine: the operator of this one opens it.
 * </ul>
 */
final class ImportedRecords {
  private static final Loader.Source NOWHERE = new Loader.Source("", false, "");

  private ImportedRecords() {}

  /**
   * Returns a record to store; that of another kind as it is.
   *
   * @param kind its kind
   * @param source where the file comes from
   * @param record the record as the file has it
   */
  static byte[] stored(RecordDef<?> kind, Loader.Source source, byte[] record) {
    if (kind.equals(WorkspaceStore.WORKSPACE)) {
      return closed(record).toByteArray();
    }
    if (kind.equals(ReceiptStore.RECEIPT_CHAIN)) {
      return ImportedChains.marked(record, source.isVerified());
    }
    if (!kind.equals(TaskStore.TASK)) {
      return record;
    }
    TaskRecord task = parse(record);
    boolean live = isLive(task);
    boolean isUnverified = !source.isVerified() || task.getImported().getUnverified();
    if (!live && !isUnverified && !task.getTask().getReceiptId().isEmpty()) {
      return record;
    }
    return (live ? parked(task) : task)
        .toBuilder()
            .setImported(
                ImportedLog.newBuilder()
                    .setInstallation(source.installation())
                    .setUnverified(isUnverified)
                    .setEvents(task.getNextSequence()))
            .build()
            .toByteArray();
  }

  /** Returns whether a task of a file has not ended. */
  static boolean isLive(byte[] task) {
    return isLive(parse(task));
  }

  private static boolean isLive(TaskRecord task) {
    return !TaskLifecycle.terminal(task.getTask().getStatus());
  }

  /** Whatever a file says, nobody here works on a live task until it is taken over. */
  private static TaskRecord parked(TaskRecord task) {
    TaskRecord.Builder parked = LiveTask.parked(task).toBuilder();
    parked.getTaskBuilder().clearReceiptId();
    return parked.build();
  }

  /** Returns whether a stored record is the one of a file. */
  static boolean isSame(RecordDef<?> kind, byte[] stored, byte[] brought) {
    if (Arrays.equals(stored, brought)) {
      return true;
    }
    if (kind.equals(WorkspaceStore.WORKSPACE)) {
      return closed(stored).equals(closed(brought));
    }
    return kind.equals(TaskStore.TASK)
        && parse(stored).toBuilder()
            .clearImported()
            .build()
            .equals(parse(stored(kind, NOWHERE, brought)).toBuilder().clearImported().build());
  }

  private static Workspace closed(byte[] record) {
    Workspace workspace = TransferStores.parse(Workspace.parser(), record);
    return workspace.toBuilder().setRoot(MachineFolder.closed(workspace.getRoot())).build();
  }

  private static TaskRecord parse(byte[] record) {
    return TransferStores.parse(TaskRecord.parser(), record);
  }
}
