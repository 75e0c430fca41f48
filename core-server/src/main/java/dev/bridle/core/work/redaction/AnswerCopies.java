package dev.bridle.core.work.redaction;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.work.redaction.ErasedAnswers.Marks;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.IdempotencyStore.StoredAnswer;
import java.util.Optional;

/**
 * Erases redacted content from the stored answers to commands with idempotency keys. A repeated
 * request is answered from them, and applied only once as before.
 */
public final class AnswerCopies implements CopyEraser {
  private static final int ROWS_AT_ONCE = 100;

  private final IdempotencyStore store;

  public AnswerCopies(IdempotencyStore store) {
    this.store = store;
  }

  @Override
  public Optional<ByteString> erase(Write write, Marks marks, ByteString from) {
    IdempotencyStore.Answers page =
        store.answers(
            write.tr().snapshot(),
            write.tenant(),
            from.isEmpty() ? Optional.empty() : Optional.of(from.toByteArray()),
            ROWS_AT_ONCE);
    for (StoredAnswer answer : page.answers()) {
      CommandRecord before = parse(answer.record());
      CommandRecord after = erased(before, marks);
      if (!after.equals(before)) {
        store.replace(write.tr(), answer, after.toByteArray());
      }
    }
    return page.next().map(ByteString::copyFrom);
  }

  private static CommandRecord erased(CommandRecord command, Marks marks) {
    try {
      return ErasedAnswers.erased(command, marks);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored answer is damaged", e);
    }
  }

  private static CommandRecord parse(byte[] bytes) {
    try {
      return CommandRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored command is damaged", e);
    }
  }
}
