package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordKind;
import dev.bridle.core.operations.portability.file.Block;
import dev.bridle.memory.v1.MemoryScope;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedEvent;
import dev.bridle.record.v1.ExportedRecord;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.StoredEvent;
import dev.bridle.workspace.v1.Workspace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the entries of blocks; what can't be read is an {@code invalid_request}. */
final class Entries {
  /** Credentials, secrets, workers and standing grants stay where they are. */
  private static final Set<RecordKind> EXPORTED =
      Set.of(
          RecordKind.WORKSPACE,
          RecordKind.SESSION,
          RecordKind.MESSAGE,
          RecordKind.ARTIFACT,
          RecordKind.OUTCOME,
          RecordKind.TASK,
          RecordKind.TASK_INPUT,
          RecordKind.PERSONA,
          RecordKind.SKILL,
          RecordKind.QUOTA,
          RecordKind.MEMORY,
          RecordKind.BRANCH,
          RecordKind.TRANSCRIPT,
          RecordKind.PERMISSION,
          RecordKind.VAULT,
          RecordKind.WORKSPACE_FILE,
          RecordKind.WORKSPACE_TREE);

  private Entries() {}

  static List<ExportEntry> of(Block block) {
    List<ExportEntry> entries = new ArrayList<>();
    ByteArrayInputStream in = new ByteArrayInputStream(block.content());
    try {
      ExportEntry next = ExportEntry.parseDelimitedFrom(in);
      while (next != null) {
        entries.add(next);
        next = ExportEntry.parseDelimitedFrom(in);
      }
    } catch (IOException e) {
      throw bad("the block at byte " + block.begin() + " holds what is no entry");
    }
    return entries;
  }

  static RecordKind kind(ExportedRecord record) {
    return RecordKind.of(record.getKind())
        .filter(EXPORTED::contains)
        .orElseThrow(
            () ->
                bad(
                    "a record is of kind "
                        + record.getKind()
                        + ", which this Bridle does not know; import it with the newer one"));
  }

  /**
   * Returns a record's bytes as they are stored in a tenant: a workspace names its tenant, and so
   * does a memory of the tenant.
   */
  static byte[] bytes(ExportedRecord record, String tenant) {
    if (kind(record).equals(RecordKind.WORKSPACE)) {
      try {
        Workspace workspace = Workspace.parseFrom(record.getRecord());
        if (!workspace.getTenantId().equals(tenant)) {
          return workspace.toBuilder().setTenantId(tenant).build().toByteArray();
        }
      } catch (InvalidProtocolBufferException e) {
        throw bad("the workspace " + record.getId() + " is no workspace");
      }
    }
    return kind(record).equals(RecordKind.MEMORY)
        ? memory(record, tenant)
        : record.getRecord().toByteArray();
  }

  private static byte[] memory(ExportedRecord record, String tenant) {
    try {
      MemoryRecord memory = MemoryRecord.parseFrom(record.getRecord());
      if (memory.getMemory().getScope() == MemoryScope.MEMORY_SCOPE_TENANT) {
        MemoryRecord.Builder moved = memory.toBuilder();
        moved.getMemoryBuilder().setOwnerId(tenant);
        return moved.build().toByteArray();
      }
      return record.getRecord().toByteArray();
    } catch (InvalidProtocolBufferException e) {
      throw bad("the memory " + record.getId() + " is no memory");
    }
  }

  /**
   * Returns the workspace whose files an entry is a part of; empty where it is none. Blobs of files
   * are named by their workspace and path.
   */
  static Optional<String> ofFiles(ExportEntry entry) {
    String name = "";
    if (entry.hasChunk()) {
      name = entry.getChunk().getBlob();
    } else if (entry.hasRecord() && kind(entry.getRecord()).equals(RecordKind.WORKSPACE_FILE)) {
      name = entry.getRecord().getId();
    } else if (entry.hasRecord() && kind(entry.getRecord()).equals(RecordKind.WORKSPACE_TREE)) {
      name = entry.getRecord().getId() + "/";
    }
    int end = name.indexOf('/');
    return end < 0 ? Optional.empty() : Optional.of(name.substring(0, end));
  }

  /** Returns the lists that a record stands in. */
  static List<RecordKind.Entry> places(ExportedRecord record) {
    RecordKind kind = kind(record);
    return kind.indexes()
        .apply(
            kind.parse(record.getRecord().toByteArray())
                .orElseThrow(
                    () ->
                        bad(
                            "the record "
                                + record.getId()
                                + " is not of its kind, "
                                + record.getKind())));
  }

  static EventId eventId(String text) {
    return EventId.parse(text).orElseThrow(() -> bad("'" + text + "' is no event id"));
  }

  static StoredEvent stored(ExportedEvent event) {
    return new StoredEvent(
        eventId(event.getId()), event.getStream(), event.getBody().toByteArray());
  }

  static EventRecord body(ExportedEvent event) {
    return parse(event.getId(), event.getBody());
  }

  private static EventRecord parse(String id, ByteString body) {
    try {
      return EventRecord.parseFrom(body);
    } catch (InvalidProtocolBufferException e) {
      throw bad("the event " + id + " is none");
    }
  }

  static ProtocolException bad(String what) {
    return ProtocolException.invalid("data", "The file can't be imported: " + what + ".");
  }
}
