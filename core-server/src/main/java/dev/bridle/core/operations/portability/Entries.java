package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.operations.portability.file.Block;
import dev.bridle.core.work.workspace.StoredFiles;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedEvent;
import dev.bridle.record.v1.ExportedRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.StoredEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses the entries of blocks; malformed ones are an {@code invalid_request}. */
final class Entries {
  /** Many times what a block of an export has, which is closed before it has 48 KiB. */
  private static final int MOST_IN_BLOCK = 20_000;

  private Entries() {}

  static List<ExportEntry> of(Block block) {
    String where = "the block at byte " + block.begin();
    FieldCount fields = new FieldCount();
    List<ExportEntry> entries = new ArrayList<>();
    try {
      CodedInputStream in = CodedInputStream.newInstance(block.content());
      while (!in.isAtEnd()) {
        if (entries.size() == MOST_IN_BLOCK) {
          throw invalidFile(where + " has more than " + MOST_IN_BLOCK + " entries");
        }
        entries.add(entry(in, fields, where));
      }
    } catch (IOException e) {
      throw invalidFile(where + " holds what is no entry");
    }
    return entries;
  }

  private static ExportEntry entry(CodedInputStream in, FieldCount fields, String where)
      throws IOException {
    ByteString bytes = in.readBytes();
    fields.add(ExportEntry.getDescriptor(), bytes);
    ExportEntry entry = ExportEntry.parseFrom(bytes);
    switch (entry.getEntryCase()) {
      case ENTRY_NOT_SET -> throw invalidFile(where + " has an empty entry");
      case EVENT -> fields.add(EventRecord.getDescriptor(), entry.getEvent().getBody());
      case STEP -> fields.add(StepRecord.getDescriptor(), entry.getStep().getRecord());
      default -> {}
    }
    return entry;
  }

  /** Returns the kind of an exported record. */
  static RecordDef<?> kind(Catalog catalog, ExportedRecord record) {
    return catalog
        .find(record.getKind())
        .filter(kind -> kind.export().exported())
        .orElseThrow(
            () ->
                invalidFile(
                    "a record is of kind "
                        + record.getKind()
                        + ", which this Bridle does not know; import it with the newer one"));
  }

  /** Parses an exported record. */
  static StoredRecord<?> read(Catalog catalog, ExportedRecord record) {
    RecordDef<?> kind = kind(catalog, record);
    new FieldCount().add(kind.descriptor(), record.getRecord());
    StoredRecord<?> read =
        kind.read(record.getId(), record.getRecord().toByteArray())
            .orElseThrow(
                () ->
                    invalidFile(
                        "the record "
                            + record.getId()
                            + " is not of its kind, "
                            + record.getKind()));
    if (!read.namesItsId()) {
      throw invalidFile("the record " + record.getId() + " has the id of another one");
    }
    return read;
  }

  /** Returns where a record stands in its lists. */
  static LogPosition place(ExportedRecord record) {
    try {
      return LogPosition.fromBytes(record.getOrder().toByteArray());
    } catch (IllegalArgumentException e) {
      throw invalidFile("the record " + record.getId() + " has no place in its lists");
    }
  }

  /**
   * Returns a record's bytes as stored in a tenant: rewritten for records that contain the tenant's
   * id, else those of the file.
   */
  static byte[] bytes(ExportedRecord exported, StoredRecord<?> read, String tenant) {
    StoredRecord<?> moved = read.inTenant(tenant);
    return moved.equals(read) ? exported.getRecord().toByteArray() : moved.record().toByteArray();
  }

  /**
   * Returns the workspace whose files an entry belongs to; empty for other entries. Blobs of files
   * are named by workspace and path.
   */
  static Optional<String> ofFiles(ExportEntry entry) {
    String name = "";
    if (entry.hasChunk()) {
      name = entry.getChunk().getBlob();
    } else if (entry.hasRecord()
        && entry.getRecord().getKind() == StoredFiles.WORKSPACE_FILE.number()) {
      name = entry.getRecord().getId();
    } else if (entry.hasRecord()
        && entry.getRecord().getKind() == StoredFiles.WORKSPACE_TREE.number()) {
      name = entry.getRecord().getId() + "/";
    }
    int end = name.indexOf('/');
    return end < 0 ? Optional.empty() : Optional.of(name.substring(0, end));
  }

  static EventId eventId(String text) {
    return EventId.parse(text).orElseThrow(() -> invalidFile("'" + text + "' is no event id"));
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
      throw invalidFile("the event " + id + " is none");
    }
  }

  static ProtocolException invalidFile(String what) {
    return ProtocolException.invalid("data", "The file can't be imported: " + what + ".");
  }
}
