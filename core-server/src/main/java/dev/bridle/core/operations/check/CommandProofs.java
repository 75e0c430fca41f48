package dev.bridle.core.operations.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.StoredEventId;
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
 * Adds the rows of commands to the proofs. A command's record follows its stamp, and both follow
 * the events, so a command is proven if its event was expected with an id that its response
 * contains.
 */
final class CommandProofs {
  /** The maximum number of ids of a response in memory; few responses have as many. */
  private static final int MAX_IDS = 64;

  private final SurveyContext context;
  private final Proofs proofs;
  private Optional<Stamp> open = Optional.empty();

  CommandProofs(SurveyContext context) {
    this.context = context;
    this.proofs = context.proofs();
  }

  /** A stamp whose record is to come. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  private record Stamp(long command, byte[] value) {}

  /** The facts of a command's record that are compared with its stamp and its event. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  private record Facts(boolean sound, Optional<PendingEvent> event, long[] idHashes) {}

  /**
   * Adds a row of a command with a client's key.
   *
   * @param inOrder receives what must run in the order of the keys
   */
  void addKeyed(String tenant, TenantSpace space, Row row, List<Runnable> inOrder) {
    RowKey key = row.key();
    int head = space == TenantSpace.KEYED_COMMAND ? 2 : 1;
    long command = Proofs.command(tenant, key.items().subList(0, head));
    switch (key.items().size() - head) {
      case 0 -> {
        Stamp stamp = new Stamp(command, row.value());
        inOrder.add(() -> addStamp(stamp));
      }
      case 1 -> {
        Optional<CommandRecord> record = context.whole(row).flatMap(IdempotencyRows::parse);
        if (space == TenantSpace.IDEMPOTENCY) {
          record.ifPresent(
              of ->
                  context.expectDue(
                      new DueEntry(of.getExpiresAt(), DueKind.IDEMPOTENCY, tenant, key.text(0))));
        }
        Optional<Long> generation = head == 2 ? Optional.of(key.number(0)) : Optional.empty();
        Optional<Facts> facts = record.map(of -> facts(generation, of));
        inOrder.add(() -> addRecord(tenant, command, facts));
      }
      default -> context.addFurtherRow(row);
    }
  }

  /** Adds a command without a client's key. */
  void addUnkeyed(String tenant, Row row) {
    if (row.value().length != IdempotencyCheck.STAMP_BYTES) {
      proofs.commands().doubt(Proofs.command(tenant, row.key().items()));
    }
  }

  private static Facts facts(Optional<Long> generation, CommandRecord record) {
    boolean sound =
        record.getRequestHash().size() == IdempotencyCheck.HASH_BYTES
            && IdempotencyCheck.isInItsGeneration(generation, record);
    return record.hasLastEvent()
        ? new Facts(sound, Optional.of(record.getLastEvent()), idHashes(record.getResponse()))
        : new Facts(sound, Optional.empty(), new long[0]);
  }

  /** Returns the hashes of the first texts of a response that may be ids, and of the empty text. */
  private static long[] idHashes(ByteString response) {
    String text = response.toString(ISO_8859_1);
    long[] hashes = new long[MAX_IDS];
    hashes[0] = Proofs.text("");
    int count = 1;
    int begin = 0;
    boolean id = false;
    for (int at = 0; at <= text.length() && count < MAX_IDS; at++) {
      char sign = at == text.length() ? ' ' : text.charAt(at);
      if (sign == '_') {
        id = at > begin;
      } else if (!((sign >= 'a' && sign <= 'z') || (sign >= '0' && sign <= '9'))) {
        if (id) {
          hashes[count++] = Proofs.text(text.substring(begin, at));
        }
        begin = at + 1;
        id = false;
      }
    }
    return Arrays.copyOf(hashes, count);
  }

  private void addStamp(Stamp stamp) {
    end();
    open = Optional.of(stamp);
  }

  private void addRecord(String tenant, long command, Optional<Facts> facts) {
    Optional<Stamp> stamp = open.filter(of -> of.command() == command);
    if (stamp.isEmpty() || facts.isEmpty() || !isProven(tenant, stamp.get().value(), facts.get())) {
      proofs.commands().doubt(command);
    }
    if (stamp.isPresent()) {
      open = Optional.empty();
    }
  }

  private boolean isProven(String tenant, byte[] stamp, Facts facts) {
    if (!facts.sound() || stamp.length != IdempotencyCheck.STAMP_BYTES) {
      return false;
    }
    if (facts.event().isEmpty()) {
      return true;
    }
    PendingEvent last = facts.event().get();
    PendingEventId id = StoredEventId.parse(last);
    long event = Proofs.event(tenant, context.rows().value(id.complete(stamp)));
    return fits(last.getEra(), 0xffff)
        && fits(last.getNumber(), 0xffff)
        && fits(last.getPartition(), 0xff)
        && Arrays.stream(facts.idHashes())
            .anyMatch(text -> proofs.answers().isExpected(Proofs.answer(event, text)));
  }

  /** Returns whether a number is one that an event id can hold. */
  private static boolean fits(int number, int max) {
    return number >= 0 && number <= max;
  }

  /** Ends the last command, which lacks its record. */
  void end() {
    open.ifPresent(stamp -> proofs.commands().doubt(stamp.command()));
    open = Optional.empty();
  }
}
