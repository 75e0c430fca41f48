package dev.bridle.core.operations.portability;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.message.Transcripts;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads heads of sessions. Ended tasks are skipped in earlier transactions, so that the transaction
 * that reads the head is bounded by the session's open tasks and not by its history.
 */
final class HeadReader {
  private static final long MAX_BYTES = 64L << 20;

  private final TransferStores stores;
  private final String tenant;
  private final long maxBytes;

  HeadReader(TransferStores stores, String tenant) {
    this(stores, tenant, MAX_BYTES);
  }

  HeadReader(TransferStores stores, String tenant, long maxBytes) {
    this.stores = stores;
    this.tenant = tenant;
    this.maxBytes = maxBytes;
  }

  /**
   * Reads a session's head; empty if there is no such session.
   *
   * @param onlyTask the one task that the head is read for, with its artifacts
   */
  Optional<SessionHead> read(String session, Optional<String> onlyTask) {
    OpenRecords tasks =
        onlyTask
            .map(id -> OpenRecords.one(stores, tenant, TaskStore.TASK, id))
            .orElseGet(
                () ->
                    OpenRecords.find(
                        stores, tenant, TaskStore.TASK, RecordDef.BY_SESSION, session));
    OpenRecords artifacts =
        OpenRecords.find(
            stores,
            tenant,
            ArtifactStore.ARTIFACT,
            onlyTask.isPresent() ? ArtifactStore.ARTIFACTS_BY_TASK : RecordDef.BY_SESSION,
            onlyTask.orElse(session));
    return stores.store().read(tr -> read(tr, session, tasks, artifacts));
  }

  private Optional<SessionHead> read(
      ReadTransaction tr, String id, OpenRecords tasks, OpenRecords artifacts) {
    Optional<byte[]> record = stores.records().get(tr, tenant, SessionStore.SESSION.number(), id);
    Optional<EventId> last = stores.log().lastEventId(tr, tenant, id);
    if (record.isEmpty() || last.isEmpty()) {
      return Optional.empty();
    }
    Size size = new Size(id, maxBytes);
    Map<String, LiveTask> live = new HashMap<>();
    tasks.read(
        tr,
        (task, bytes) -> {
          LiveTask read =
              LiveTask.read(tr, stores, tenant, TransferStores.parse(TaskRecord.parser(), bytes));
          size.add(read.bytes());
          live.put(task, read);
        });
    Map<String, byte[]> empty = new HashMap<>();
    artifacts.read(
        tr,
        (artifact, bytes) -> {
          size.add(bytes.length);
          empty.put(artifact, bytes);
        });
    return Optional.of(
        new SessionHead(
            record.get(),
            TransferStores.parse(Session.parser(), record.get()),
            last.get(),
            stores.events().sequence(tr, tenant, "session", id),
            stores.records().get(tr, tenant, Transcripts.TRANSCRIPT.number(), id),
            stores.records().get(tr, tenant, ReceiptStore.RECEIPT_CHAIN.number(), id),
            live,
            empty));
  }

  /** The size of a head so far. */
  private static final class Size {
    private final String session;
    private final long max;
    private long bytes;

    Size(String session, long max) {
      this.session = session;
      this.max = max;
    }

    void add(long more) {
      bytes += more;
      if (bytes > max) {
        throw ProtocolException.of(
            ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
            "Session "
                + session
                + " has live tasks and artifacts without content of more than "
                + (max >> 20)
                + " MiB in all, which can't be read consistently; export it once some of the tasks"
                + " have ended.");
      }
    }
  }
}
