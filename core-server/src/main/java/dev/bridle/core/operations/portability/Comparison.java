package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedChunk;
import dev.bridle.record.v1.ExportedEvent;
import dev.bridle.record.v1.ExportedRecord;
import dev.bridle.record.v1.ExportedStep;
import dev.bridle.storage.ReadTransaction;
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
 * Looks, before anything is written, whether what a file holds meets what is there: the same id
 * with the same bytes is fine, with other bytes it is a conflict.
 */
final class Comparison {
  private static final int MAX_TOLD = 10;

  private final Stored stored;
  private final ImportOptions options;
  private final Workspaces workspaces;
  private final List<String> conflicts = new ArrayList<>();
  private final Set<String> kept = new HashSet<>();
  private final Set<String> replaced = new HashSet<>();
  private long found;

  Comparison(Stored stored, ImportOptions options) {
    this.stored = stored;
    this.options = options;
    this.workspaces = new Workspaces(stored, options.tenant());
  }

  /** Returns how many conflicts there are. */
  long conflicts() {
    return found;
  }

  /** Names the first of them. */
  String told() {
    return String.join("; ", conflicts) + (found > conflicts.size() ? "; and more" : "");
  }

  /** Returns the streams of workspaces that stay as they are here. */
  Set<String> kept() {
    return kept;
  }

  /** Looks at a workspace, which decides on its stream; any part of a file that has been loaded. */
  void workspace(ReadTransaction tr, ExportEntry entry) {
    if (entry.hasRecord() && entry.getRecord().getKind() == WorkspaceStore.WORKSPACE.number()) {
      record(tr, entry.getRecord());
    }
  }

  /** Looks at an entry. */
  void look(ReadTransaction tr, ExportEntry entry) {
    if (Entries.ofFiles(entry).filter(kept::contains).isPresent()) {
      return;
    }
    switch (entry.getEntryCase()) {
      case RECORD -> record(tr, entry.getRecord());
      case EVENT -> event(tr, entry.getEvent());
      case CHUNK -> chunk(tr, entry.getChunk());
      case STEP -> step(tr, entry.getStep());
      case TENANT, STREAM -> {}
      default -> throw Entries.bad("an entry is of a kind that this Bridle does not know");
    }
  }

  private void record(ReadTransaction tr, ExportedRecord record) {
    StoredRecord<?> read = Entries.read(stored.catalog(), record);
    RecordDef<?> kind = read.def();
    Optional<byte[]> there =
        stored.records().get(tr, options.tenant(), kind.number(), record.getId());
    boolean same =
        there.isEmpty()
            || Arrays.equals(there.get(), Entries.bytes(record, read, options.tenant()));
    if (there.isEmpty() && !record.getOrder().isEmpty()) {
      place(tr, read, record);
    }
    if (same || record.getContext()) {
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
      conflict(kind.name().toLowerCase(Locale.ROOT) + " " + record.getId() + " differs");
    }
  }

  /** Two installations may have counted alike: then a row of an index is taken already. */
  private void place(ReadTransaction tr, StoredRecord<?> read, ExportedRecord record) {
    LogPosition order = LogPosition.fromBytes(record.getOrder().toByteArray());
    for (RecordDef.Entry place : read.entries()) {
      Optional<String> taken =
          stored
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
    Optional<StoredEvent> there = stored.log().find(tr, options.tenant(), id);
    if (there.isPresent()) {
      boolean same =
          there.get().stream().equals(stream)
              && Arrays.equals(there.get().body(), event.getBody().toByteArray());
      if (!same && !replaced.contains(there.get().stream())) {
        conflict("event " + event.getId() + " differs");
      }
      return;
    }
    EventRecord body = Entries.body(event);
    boolean taken =
        body.getTaskId().isEmpty()
            ? !replaced.contains(stream)
                && stored
                        .events()
                        .sequence(
                            tr, options.tenant(), body.getResourceObject(), body.getResourceId())
                    > body.getSequence()
            : stored
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
    List<byte[]> there =
        stored.blobs().read(tr, options.tenant(), chunk.getBlob(), chunk.getNumber(), 1);
    if (!there.isEmpty() && !Arrays.equals(there.get(0), chunk.getData().toByteArray())) {
      conflict("the content in blob " + chunk.getBlob() + " differs");
    }
  }

  private void step(ReadTransaction tr, ExportedStep step) {
    Optional<byte[]> there =
        stored.steps().find(tr, options.tenant(), step.getTask(), step.getStepKey());
    if (there.isPresent() && !Arrays.equals(there.get(), step.getRecord().toByteArray())) {
      conflict("a step of task " + step.getTask() + " differs");
    }
  }

  private void conflict(String what) {
    found++;
    if (conflicts.size() < MAX_TOLD) {
      conflicts.add(what);
    }
  }
}
