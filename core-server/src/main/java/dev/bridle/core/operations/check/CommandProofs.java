package dev.bridle.core.operations.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.protobuf.ByteString;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.resource.IdempotencyCheck;
import dev.bridle.core.operations.check.rule.IdempotencyRows;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.record.v1.PendingEvent;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Adds the rows of commands to the proofs. A command's record follows its stamp, and both come
 * after the events, so that a command is proven where an event answers to what it names.
 */
final class CommandProofs {
  /** The maximum number of texts of an answer in memory; few answers have as many ids. */
  private static final int MANY = 64;

  private final Surveyed surveyed;
  private final Proofs proofs;
  private Optional<Stamp> open = Optional.empty();

  CommandProofs(Surveyed surveyed) {
    this.surveyed = surveyed;
    this.proofs = surveyed.proofs();
  }

  /** A stamp whose record is to come. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  private record Stamp(long command, byte[] value) {}

  /** What a command's record says. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  private record Said(boolean sound, Optional<PendingEvent> event, long[] named) {}

  void keyed(String tenant, TenantSpace space, Row row, List<Runnable> inOrder) {
    RowKey key = row.key();
    int head = space == TenantSpace.KEYED_COMMAND ? 2 : 1;
    long command = Proofs.command(tenant, key.items().subList(0, head));
    switch (key.items().size() - head) {
      case 0 -> {
        Stamp stamp = new Stamp(command, row.value());
        inOrder.add(() -> stamp(stamp));
      }
      case 1 -> {
        Optional<CommandRecord> record = surveyed.whole(row).flatMap(IdempotencyRows::parse);
        if (space == TenantSpace.IDEMPOTENCY) {
          record.ifPresent(
              of ->
                  surveyed.expectDue(
                      new DueEntry(of.getExpiresAt(), DueKind.IDEMPOTENCY, tenant, key.text(0))));
        }
        Optional<Long> generation = head == 2 ? Optional.of(key.number(0)) : Optional.empty();
        Optional<Said> said = record.map(of -> said(generation, of));
        inOrder.add(() -> record(tenant, command, said));
      }
      default -> surveyed.further(row);
    }
  }

  /** Adds a command without a client's key. */
  void minted(String tenant, Row row) {
    if (row.value().length != IdempotencyCheck.STAMP_BYTES) {
      proofs.commands().doubt(Proofs.command(tenant, row.key().items()));
    }
  }

  private static Said said(Optional<Long> generation, CommandRecord record) {
    boolean sound =
        record.getRequestHash().size() == IdempotencyCheck.HASH_BYTES
            && IdempotencyCheck.isInItsGeneration(generation, record);
    return record.hasLastEvent()
        ? new Said(sound, Optional.of(record.getLastEvent()), named(record.getResponse()))
        : new Said(sound, Optional.empty(), new long[0]);
  }

  /** Returns the hashes of the first texts in an answer that may be ids, and of none. */
  private static long[] named(ByteString response) {
    String text = response.toString(ISO_8859_1);
    long[] named = new long[MANY];
    named[0] = Proofs.text("");
    int count = 1;
    int begin = 0;
    boolean id = false;
    for (int at = 0; at <= text.length() && count < MANY; at++) {
      char sign = at == text.length() ? ' ' : text.charAt(at);
      if (sign == '_') {
        id = at > begin;
      } else if (!((sign >= 'a' && sign <= 'z') || (sign >= '0' && sign <= '9'))) {
        if (id) {
          named[count++] = Proofs.text(text.substring(begin, at));
        }
        begin = at + 1;
        id = false;
      }
    }
    return Arrays.copyOf(named, count);
  }

  private void stamp(Stamp stamp) {
    end();
    open = Optional.of(stamp);
  }

  private void record(String tenant, long command, Optional<Said> said) {
    Optional<Stamp> stamp = open.filter(of -> of.command() == command);
    if (stamp.isEmpty() || said.isEmpty() || !proven(tenant, stamp.get().value(), said.get())) {
      proofs.commands().doubt(command);
    }
    if (stamp.isPresent()) {
      open = Optional.empty();
    }
  }

  private boolean proven(String tenant, byte[] stamp, Said said) {
    if (!said.sound() || stamp.length != IdempotencyCheck.STAMP_BYTES) {
      return false;
    }
    if (said.event().isEmpty()) {
      return true;
    }
    PendingEvent last = said.event().get();
    PendingEventId id = new PendingEventId(last.getEra(), last.getNumber(), last.getPartition());
    long event = Proofs.event(tenant, surveyed.rows().value(id.complete(stamp)));
    return fits(last.getEra(), 0xffff)
        && fits(last.getNumber(), 0xffff)
        && fits(last.getPartition(), 0xff)
        && Arrays.stream(said.named())
            .anyMatch(text -> proofs.answers().isExpected(Proofs.answer(event, text)));
  }

  /** An event id has no room for more. */
  private static boolean fits(int number, int most) {
    return number >= 0 && number <= most;
  }

  /** Ends the last command, which lacks its record. */
  void end() {
    open.ifPresent(stamp -> proofs.commands().doubt(stamp.command()));
    open = Optional.empty();
  }
}
