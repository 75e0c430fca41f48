package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedChunk;
import dev.bridle.record.v1.ExportedCounter;
import dev.bridle.record.v1.ExportedEvent;
import dev.bridle.record.v1.ExportedRecord;
import dev.bridle.record.v1.ExportedStep;
import dev.bridle.record.v1.ExportedStream;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.StoredEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Compares a file with the existing data before anything is written: an id that exists with the
 * same bytes is accepted, one with other bytes is a conflict.
 */
final class Comparison {
  private static final int MAX_LISTED = 10;

  /** Longer than any that Bridle makes, and short enough for a key. */
  private static final int MAX_NAME = 2048;

  private final TransferStores stores;
  private final ImportOptions options;
  private final Workspaces workspaces;
  private final RedactionStore redactions;
  private final List<String> conflicts = new ArrayList<>();
  private final Set<String> kept = new HashSet<>();
  private final Set<String> replaced = new HashSet<>();
  private long found;

  Comparison(TransferStores stores, ImportOptions options) {
    this.stores = stores;
    this.options = options;
    this.workspaces = new Workspaces(stores, options.tenant());
    this.redactions = new RedactionStore(stores.layout());
  }

  /** Returns the number of conflicts. */
  long conflicts() {
    return found;
  }

  /** Describes the first conflicts. */
  String describeConflicts() {
    return String.join("; ", conflicts) + (found > conflicts.size() ? "; and more" : "");
  }

  /** Returns the streams of existing workspaces that are kept. */
  Set<String> kept() {
    return kept;
  }

  /**
   * Compares an entry that is loaded already. Only workspaces matter, since they decide on their
   * streams.
   */
  void workspace(ReadTransaction tr, ExportEntry entry) {
    if (entry.hasRecord() && entry.getRecord().getKind() == WorkspaceStore.WORKSPACE.number()) {
      record(tr, entry.getRecord());
    }
  }

  /** Compares an entry. */
  void look(ReadTransaction tr, ExportEntry entry) {
    if (Entries.ofFiles(entry).filter(kept::contains).isPresent()) {
      return;
    }
    switch (entry.getEntryCase()) {
      case RECORD -> record(tr, entry.getRecord());
      case EVENT -> event(tr, entry.getEvent());
      case CHUNK -> chunk(tr, entry.getChunk());
      case STEP -> step(tr, entry.getStep());
      case TENANT -> eventIds(entry.getTenant().getFloor());
      case STREAM -> stream(entry.getStream());
      default -> throw Entries.invalidFile("an entry is of a kind that this Bridle does not know");
    }
  }

  /** Loads as little as it takes to refuse a file whose ids can't be read. */
  private static void eventIds(String... ids) {
    for (String id : ids) {
      if (!id.isEmpty()) {
        var unused = Entries.eventId(id);
      }
    }
  }

  private static void stream(ExportedStream stream) {
    eventIds(stream.getLastEventId(), stream.getFloor());
    needName(stream.getStream());
    for (ExportedCounter counter : stream.getCountersList()) {
      needName(counter.getObject());
      needName(counter.getId());
    }
  }

  private static void needName(String name) {
    if (name.length() > MAX_NAME) {
      throw Entries.invalidFile("a name in it is too long");
    }
  }

  private void record(ReadTransaction tr, ExportedRecord record) {
    StoredRecord<?> read = Entries.read(stores.catalog(), record);
    RecordDef<?> kind = read.def();
    if (!record.getOrder().isEmpty()) {
      var unused = Entries.place(record);
    }
    Optional<byte[]> there =
        stores.records().get(tr, options.tenant(), kind.number(), record.getId());
    byte[] brought = Entries.bytes(record, read, options.tenant());
    boolean same = there.isEmpty() || ImportedRecords.isSame(kind, there.get(), brought);
    if (there.isEmpty() && !record.getOrder().isEmpty()) {
      place(tr, read, record);
    }
    if (same || record.getContext() || kind.equals(ReceiptStore.RECEIPT_CHAIN)) {
      return;
    }
    if (kind.equals(WorkspaceStore.WORKSPACE) && workspaces.untouched(tr, record.getId())) {
      replaced.add(record.getId());
    } else if (kind.equals(WorkspaceStore.WORKSPACE) && options.keepWorkspaces()) {
      kept.add(record.getId());
    } else if (kind.equals(WorkspaceStore.WORKSPACE)) {
      conflict(
          "workspace "
              + record.getId()
              + " is another one here (--keep-workspaces keeps it, --tenant loads elsewhere)");
    } else {
      String name = kind.name().toLowerCase(Locale.ROOT);
      boolean redacted = redactions.redacted(tr, options.tenant(), name, record.getId());
      conflict(name + " " + record.getId() + (redacted ? " was redacted here" : " differs"));
    }
  }

  /**
   * Checks that a record's index positions are free: two installations may have assigned the same
   * ones.
   */
  private void place(ReadTransaction tr, StoredRecord<?> read, ExportedRecord record) {
    LogPosition order = Entries.place(record);
    for (RecordDef.Entry place : read.entries()) {
      Optional<String> taken =
          stores
              .records()
              .at(
                  tr,
                  options.tenant(),
                  read.def().number(),
                  (int) place.index(),
                  place.value(),
                  order)
              .filter(id -> !replaced.contains(id));
      if (taken.isPresent()) {
        conflict(record.getId() + " stands where " + taken.get() + " stands here");
        return;
      }
    }
  }

  private void event(ReadTransaction tr, ExportedEvent event) {
    String stream = event.getStream();
    if (kept.contains(stream)) {
      return;
    }
    EventId id = Entries.eventId(event.getId());
    Optional<StoredEvent> there = stores.log().find(tr, options.tenant(), id);
    if (there.isPresent()) {
      boolean same =
          there.get().stream().equals(stream)
              && Arrays.equals(there.get().body(), event.getBody().toByteArray());
      if (!same && !replaced.contains(there.get().stream())) {
        boolean redacted =
            redactions.redacted(tr, options.tenant(), RedactionStore.EVENT, event.getId());
        conflict("event " + event.getId() + (redacted ? " was redacted here" : " differs"));
      }
      return;
    }
    EventRecord body = Entries.body(event);
    boolean taken =
        body.getTaskId().isEmpty()
            ? !replaced.contains(stream)
                && stores
                        .events()
                        .sequence(
                            tr, options.tenant(), body.getResourceObject(), body.getResourceId())
                    > body.getSequence()
            : stores
                .log()
                .taskEventId(tr, options.tenant(), body.getTaskId(), body.getSequence())
                .isPresent();
    if (taken) {
      conflict(
          body.getResourceObject()
              + " "
              + body.getResourceId()
              + " has another event of sequence "
              + body.getSequence());
    }
  }

  private void chunk(ReadTransaction tr, ExportedChunk chunk) {
    needName(chunk.getBlob());
    if (chunk.getData().size() > BlobStore.CHUNK_BYTES) {
      throw Entries.invalidFile("a piece of the blob " + chunk.getBlob() + " is too large");
    }
    List<byte[]> there =
        stores.blobs().read(tr, options.tenant(), chunk.getBlob(), chunk.getNumber(), 1);
    if (!there.isEmpty() && !Arrays.equals(there.get(0), chunk.getData().toByteArray())) {
      conflict("the content in blob " + chunk.getBlob() + " differs");
    }
  }

  private void step(ReadTransaction tr, ExportedStep step) {
    Optional<byte[]> there =
        stores.steps().find(tr, options.tenant(), step.getTask(), step.getStepKey());
    if (there.isPresent() && !Arrays.equals(there.get(), step.getRecord().toByteArray())) {
      conflict("a step of task " + step.getTask() + " differs");
    }
  }

  private void conflict(String what) {
    found++;
    if (conflicts.size() < MAX_LISTED) {
      conflicts.add(what);
    }
  }
}
