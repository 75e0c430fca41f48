package dev.bridle.core.operations.portability;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.operations.portability.file.Block;
import dev.bridle.core.work.receipt.CompromisedKeys;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedChunk;
import dev.bridle.record.v1.ExportedEvent;
import dev.bridle.record.v1.ExportedRecord;
import dev.bridle.record.v1.ExportedStep;
import dev.bridle.record.v1.ExportedStream;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.ConfigurationVersion;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.RecordRows.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Loads entries, several blocks per transaction. The transaction also stores the import's progress,
 * so an interrupted import continues right after the loaded data.
 */
final class Loader {
  private static final long BATCH_BYTES = 256 * 1024;
  private static final int BATCH_ENTRIES = 300;

  private final TransferStores stores;
  private final String tenant;
  private final ImportProgress progress;
  private final ImportTrust trust;
  private final Workspaces workspaces;
  private final Set<String> kept;
  private final Source source;
  private final List<ExportEntry> batch = new ArrayList<>();
  private long batchBytes;
  private long applied;
  private long end;

  /**
   * Where a file comes from.
   *
   * @param installation the installation that it names as its source
   * @param isVerified whether it is verified that it comes from there
   * @param signedBy the id of the key that has signed it; empty for none that is known
   */
  record Source(String installation, boolean isVerified, String signedBy) {}

  /**
   * Goes on with an import.
   *
   * @param kept the workspaces that are kept as they are here
   * @param applied the offset in the file up to which everything is loaded
   */
  Loader(
      TransferStores stores,
      String tenant,
      ImportProgress progress,
      ImportTrust trust,
      Set<String> kept,
      Source source,
      long applied) {
    this.stores = stores;
    this.tenant = tenant;
    this.progress = progress;
    this.trust = trust;
    this.workspaces = new Workspaces(stores, tenant);
    this.kept = kept;
    this.source = source;
    this.applied = applied;
    this.end = applied;
  }

  /** Returns the offset in the file up to which everything is loaded. */
  long applied() {
    return applied;
  }

  void add(Block block, List<ExportEntry> entries) {
    long bytes = block.end() - block.begin();
    if (!batch.isEmpty()
        && (batchBytes + bytes > BATCH_BYTES || batch.size() + entries.size() > BATCH_ENTRIES)) {
      flush();
    }
    batch.addAll(entries);
    batchBytes += bytes;
    end = block.end();
  }

  /** Loads the added entries. */
  void flush() {
    if (end == applied) {
      return;
    }
    stores
        .store()
        .transact(
            tr -> {
              if (progress.move(tr, applied, end)) {
                batch.forEach(entry -> load(tr, entry));
              }
              return true;
            });
    applied = end;
    batch.clear();
    batchBytes = 0;
  }

  private void load(Transaction tr, ExportEntry entry) {
    if (Entries.ofFiles(entry).filter(kept::contains).isPresent()) {
      return;
    }
    switch (entry.getEntryCase()) {
      case RECORD -> record(tr, entry.getRecord());
      case EVENT -> event(tr, entry.getEvent());
      case CHUNK -> chunk(tr, entry.getChunk());
      case STEP -> step(tr, entry.getStep());
      case STREAM -> stream(tr, entry.getStream());
      default -> {}
    }
  }

  private void record(Transaction tr, ExportedRecord record) {
    StoredRecord<?> read = Entries.read(stores.catalog(), record);
    RecordDef<?> kind = read.def();
    byte[] bytes = Entries.bytes(record, read, tenant);
    Optional<byte[]> there = stores.records().get(tr, tenant, kind.number(), record.getId());
    if (there.isPresent() && kind.equals(ReceiptStore.RECEIPT_CHAIN)) {
      byte[] joined =
          ImportedChains.join(there.get(), ImportedChains.marked(bytes, source.isVerified()));
      stores.records().insert(tr, tenant, kind.number(), record.getId(), joined);
      return;
    }
    if (kind.equals(ImportedKeys.RECEIPT_KEY)) {
      key(bytes, there).ifPresent(key -> keep(tr, key, there.isEmpty()));
      return;
    }
    if (there.isPresent()) {
      if (ImportedRecords.isSame(kind, there.get(), bytes)
          || record.getContext()
          || keeps(kind, record)) {
        return;
      }
      if (!kind.equals(WorkspaceStore.WORKSPACE) || !workspaces.untouched(tr, record.getId())) {
        throw changed(record.getId());
      }
      workspaces.remove(tr, record.getId());
    }
    byte[] stored = ImportedRecords.stored(kind, source, bytes);
    stores.records().insert(tr, tenant, kind.number(), record.getId(), stored);
    if (kind.type().configuration()) {
      new ConfigurationVersion(stores.layout()).change(tr, tenant);
    }
    if (!record.getOrder().isEmpty()) {
      Row row = new Row(Entries.place(record), record.getId());
      read.entries()
          .forEach(
              place ->
                  stores
                      .records()
                      .index(tr, tenant, kind.number(), (int) place.index(), place.value(), row));
    }
    kind.read(record.getId(), stored)
        .orElseThrow()
        .dueEntries(tenant)
        .forEach(entry -> stores.due().schedule(tr, entry));
  }

  /** What was checked is what is loaded: nothing of the file takes the place of another part. */
  private void chunk(Transaction tr, ExportedChunk chunk) {
    byte[] data = chunk.getData().toByteArray();
    List<byte[]> there = stores.blobs().read(tr, tenant, chunk.getBlob(), chunk.getNumber(), 1);
    if (!there.isEmpty() && !Arrays.equals(there.get(0), data)) {
      throw changed("the content in blob " + chunk.getBlob());
    }
    stores.blobs().write(tr, tenant, chunk.getBlob(), chunk.getNumber(), data);
  }

  private void step(Transaction tr, ExportedStep step) {
    byte[] record = step.getRecord().toByteArray();
    Optional<byte[]> there = stores.steps().find(tr, tenant, step.getTask(), step.getStepKey());
    if (there.isPresent() && !Arrays.equals(there.get(), record)) {
      throw changed("a step of task " + step.getTask());
    }
    stores.steps().record(tr, tenant, step.getTask(), step.getStepKey(), record);
  }

  /** A key of this installation is not stored once more: a file says nothing of it. */
  private Optional<ReceiptKeyRecord> key(byte[] brought, Optional<byte[]> there) {
    ReceiptKeyRecord key = TransferStores.parse(ReceiptKeyRecord.parser(), brought);
    if (trust.own().find(key.getId()).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        ImportedKeys.joined(
            there.map(bytes -> TransferStores.parse(ReceiptKeyRecord.parser(), bytes)),
            key,
            trust.all().find(key.getId()),
            hasSigned(key.getId()) ? Optional.of(source.installation()) : Optional.empty()));
  }

  /** Returns whether a key has signed the file itself. */
  private boolean hasSigned(String key) {
    return source.isVerified() && source.signedBy().equals(key);
  }

  private void keep(Transaction tr, ReceiptKeyRecord key, boolean isNew) {
    if (isNew && new ImportedKeys(stores.layout()).all(tr, tenant).size() >= ImportedKeys.MOST) {
      throw Entries.invalidFile(
          "with its keys, the tenant would have more than " + ImportedKeys.MOST);
    }
    int kind = ImportedKeys.RECEIPT_KEY.number();
    stores.records().insert(tr, tenant, kind, key.getId(), key.toByteArray());
    CompromisedKeys.note(tr, stores.installation(), key);
  }

  private boolean keeps(RecordDef<?> kind, ExportedRecord record) {
    return kind.equals(WorkspaceStore.WORKSPACE) && kept.contains(record.getId());
  }

  private void event(Transaction tr, ExportedEvent event) {
    if (kept.contains(event.getStream())) {
      return;
    }
    EventId id = Entries.eventId(event.getId());
    Optional<byte[]> there = stores.events().body(tr, tenant, event.getStream(), id);
    if (there.isPresent()) {
      if (!Arrays.equals(there.get(), event.getBody().toByteArray())) {
        throw changed(event.getId());
      }
      return;
    }
    stores.events().insert(tr, tenant, Entries.stored(event));
    EventRecord body = Entries.body(event);
    if (!body.getTaskId().isEmpty()) {
      if (stores.log().taskEventId(tr, tenant, body.getTaskId(), body.getSequence()).isPresent()) {
        throw changed("event " + body.getSequence() + " of task " + body.getTaskId());
      }
      stores.events().pointFromTask(tr, tenant, body.getTaskId(), body.getSequence(), id);
    }
  }

  private void stream(Transaction tr, ExportedStream stream) {
    String name = stream.getStream();
    if (kept.contains(name)) {
      return;
    }
    if (!stream.getLastEventId().isEmpty()) {
      stores.events().raiseLast(tr, tenant, name, Entries.eventId(stream.getLastEventId()));
    }
    if (!stream.getFloor().isEmpty()) {
      stores.events().raiseFloor(tr, tenant, name, Entries.eventId(stream.getFloor()));
    }
    stream
        .getCountersList()
        .forEach(
            counter -> {
              long there =
                  stores.events().sequence(tr, tenant, counter.getObject(), counter.getId());
              if (counter.getNext() > there) {
                stores
                    .events()
                    .setSequence(
                        tr, tenant, counter.getObject(), counter.getId(), counter.getNext());
              }
            });
  }

  private static ProtocolException changed(String id) {
    return ProtocolException.of(
        ErrorCode.ERROR_CODE_CONFLICT,
        id
            + " was created here during the import, with other content, or the file has it twice;"
            + " the import stops, and the data that it has loaded stays.");
  }
}
