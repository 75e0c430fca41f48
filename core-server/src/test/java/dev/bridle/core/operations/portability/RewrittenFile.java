package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.operations.portability.file.Block;
import dev.bridle.core.operations.portability.file.BlockReader;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedRecord;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Reads export files, and writes them with changes as somebody does who knows the format. */
final class RewrittenFile {
  private RewrittenFile() {}

  /** Returns the keys that a file brings, as its server publishes them. */
  static ByteString keys(byte[] file) {
    List<VerificationKey> keys = new ArrayList<>();
    var unused =
        of(
            file,
            entry -> {
              if (isKey(entry)) {
                keys.add(
                    ImportedKeys.verificationKey(
                        parse(ReceiptKeyRecord.parser(), entry.getRecord().getRecord())));
              }
              return entry;
            });
    return keys.isEmpty() ? ByteString.EMPTY : ByteString.copyFrom(KeySet.of(keys).toJson());
  }

  static boolean isKey(ExportEntry entry) {
    return isOf(entry, ImportedKeys.RECEIPT_KEY);
  }

  /** Returns whether an entry is a record of a kind. */
  static boolean isOf(ExportEntry entry, RecordDef<?> kind) {
    return entry.hasRecord() && entry.getRecord().getKind() == kind.number();
  }

  /** Returns an entry that is a task with another record; any other as it is. */
  static ExportEntry withTask(ExportEntry entry, UnaryOperator<TaskRecord.Builder> change) {
    return isOf(entry, TaskStore.TASK)
        ? withRecord(
            entry,
            change
                .apply(parse(TaskRecord.parser(), entry.getRecord().getRecord()).toBuilder())
                .build()
                .toByteString())
        : entry;
  }

  static ExportEntry withRecord(ExportEntry entry, ByteString record) {
    ExportedRecord changed = entry.getRecord().toBuilder().setRecord(record).build();
    return entry.toBuilder().setRecord(changed).build();
  }

  static ExportEntry withStep(ExportEntry entry, UnaryOperator<StepRecord> change) {
    StepRecord changed = change.apply(parse(StepRecord.parser(), entry.getStep().getRecord()));
    return entry.toBuilder()
        .setStep(entry.getStep().toBuilder().setRecord(changed.toByteString()))
        .build();
  }

  static ExportEntry withEvent(ExportEntry entry, UnaryOperator<EventRecord> change) {
    EventRecord changed = change.apply(parse(EventRecord.parser(), entry.getEvent().getBody()));
    return entry.toBuilder()
        .setEvent(entry.getEvent().toBuilder().setBody(changed.toByteString()))
        .build();
  }

  static <M extends Message> M parse(Parser<M> parser, ByteString bytes) {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns a changed file with the signature of the one that it was made of. */
  static byte[] signedAs(byte[] file, byte[] changed) {
    return sealedAs(changed, Transfer.read(file).signed());
  }

  /** Returns the blocks of a file with another signature in its trailer. */
  static byte[] sealedAs(byte[] file, Optional<byte[]> signed) {
    int blocks = (int) Transfer.read(file).wholeTo();
    return Transfer.sealed(Arrays.copyOf(file, blocks), signed);
  }

  /** Returns a file with changed entries and a trailer that fits, but for the signature. */
  static byte[] of(byte[] file, UnaryOperator<ExportEntry> change) {
    return each(file, entry -> List.of(change.apply(entry)));
  }

  /** Returns a file with other entries in the place of each, sealed in the same way. */
  static byte[] each(byte[] file, Function<ExportEntry, List<ExportEntry>> change) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(Block.magic());
    BlockReader reader =
        BlockReader.whole(
            block -> {
              if (block.type() == Block.DATA) {
                out.writeBytes(Block.encode(Block.DATA, changed(block, change)));
              } else if (block.type() != Block.TRAILER) {
                out.writeBytes(Block.encode(block.type(), block.content()));
              }
            });
    reader.take(file, 0, file.length);
    return Transfer.sealed(out.toByteArray());
  }

  private static byte[] changed(Block block, Function<ExportEntry, List<ExportEntry>> change) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try {
      for (ExportEntry entry : Entries.of(block)) {
        for (ExportEntry changed : change.apply(entry)) {
          if (!changed.equals(ExportEntry.getDefaultInstance())) { // Left out.
            changed.writeDelimitedTo(content);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return content.toByteArray();
  }
}
