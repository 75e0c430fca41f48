package dev.bridle.core.kernel.command;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.error.RequestInfo;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.validate.CanonicalForm;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.IdempotencyStore.AppliedCommand;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.TurnClaims;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * The one gate for writes. A command is one transaction, applied once however often it is
 * attempted: its id is read with a conflict and recorded in the same transaction. A client's
 * idempotency key, within actor, workspace, method and target, makes that hold across requests, for
 * at least {@link IdempotencyStore#RETENTION_MILLIS} (protocol section "Idempotency").
 */
public final class Commands {
  private final KeyValueStore store;
  private final EventLog log;
  private final IdempotencyStore idempotency;
  private final IdMint mint;
  private final Clock clock;
  private final RequestHash hash;
  private final StoredAnswers answers;
  private final Turns turns;

  /**
   * Creates the gate.
   *
   * @param answers what repeated requests are shown of stored answers
   */
  public Commands(
      KeyValueStore store,
      EventLog log,
      IdempotencyStore idempotency,
      IdMint mint,
      Clock clock,
      RequestHash hash,
      StoredAnswers answers) {
    this.store = store;
    this.log = log;
    this.idempotency = idempotency;
    this.mint = mint;
    this.clock = clock;
    this.hash = hash;
    this.answers = answers;
    this.turns = new Turns(store, log, Turns.PATIENCE, ServerTurns.ALONE);
  }

  private Commands(Commands other, Duration patience, ServerTurns servers) {
    this.store = other.store;
    this.log = other.log;
    this.idempotency = other.idempotency;
    this.mint = other.mint;
    this.clock = other.clock;
    this.hash = other.hash;
    this.answers = other.answers;
    this.turns = new Turns(store, log, patience, servers);
  }

  /**
   * Returns a gate for a store that other servers use too: they take turns at what all of them
   * change.
   *
   * @param process a name that no other process has
   */
  public Commands sharing(TurnClaims claims, String process, LongSupplier nanoTime) {
    return new Commands(
        this,
        Turns.PATIENCE,
        new ClaimedTurns(store, claims, process, ClaimedTurns.Times.DEFAULT, nanoTime));
  }

  /** Returns a gate whose commands wait for another while for their turns. */
  Commands withPatience(Duration patience) {
    return new Commands(this, patience, ServerTurns.ALONE);
  }

  /**
   * Runs a client's command.
   *
   * @param request the request, which a retry with the same idempotency key must repeat
   * @param target the id of what is acted on, as the path names it; empty for a collection
   * @param workspace returns the workspace of the command, and throws where the caller may not see
   *     what is acted on
   * @param work checks and writes; runs in every attempt that is not a retry of an applied one
   */
  public <R extends Message> R run(
      Message request,
      String target,
      Function<Write, String> workspace,
      Function<Write, R> work,
      R prototype) {
    return run(request, target, workspace, work, UnaryOperator.identity(), prototype);
  }

  /**
   * Runs a client's command on a subject that both its workspace and its work need.
   *
   * @param request the request, which a retry with the same idempotency key must repeat
   * @param target the id of what is acted on, as the path names it; empty for a collection
   * @param subject finds what is acted on
   * @param work checks and writes; runs in every attempt that is not a retry of an applied one
   */
  public <S, R extends Message> R run(
      Message request,
      String target,
      Subject<S> subject,
      BiFunction<Write, S, R> work,
      R prototype) {
    return run(request, target, subject, work, Optional.empty(), prototype);
  }

  /**
   * Runs a client's command that creates something in a subject.
   *
   * @param request the request, which a retry with the same idempotency key must repeat
   * @param target the id of what is acted on, as the path names it; empty for a collection
   * @param subject finds what is acted on
   * @param work checks and writes; runs in every attempt that is not a retry of an applied one
   * @param creation finds what the command creates; if empty, the command is recorded
   */
  public <S, R extends Message> R run(
      Message request,
      String target,
      Subject<S> subject,
      BiFunction<Write, S, R> work,
      Optional<Creation> creation,
      R prototype) {
    AtomicReference<S> found = new AtomicReference<>();
    Function<Write, String> workspace =
        write -> {
          found.set(subject.find().apply(write));
          return subject.workspace().apply(found.get());
        };
    Function<Write, R> onSubject = write -> work.apply(write, found.get());
    if (RequestInfo.current().idempotencyKey().isPresent() || creation.isEmpty()) {
      return run(request, target, workspace, onSubject, prototype);
    }
    Caller caller = Caller.current();
    return once(caller.tenant(), caller.actor(), creation.get(), inReach(workspace, onSubject));
  }

  /** Returns the work of a command that fails where the caller may not see what is acted on. */
  private static <R> Function<Write, R> inReach(
      Function<Write, String> workspace, Function<Write, R> work) {
    return write -> {
      Objects.requireNonNull(workspace.apply(write));
      return work.apply(write);
    };
  }

  /**
   * Runs a client's command whose response has a secret that is shown once.
   *
   * @param request the request, which a retry with the same idempotency key must repeat
   * @param target the id of what is acted on, as the path names it; empty for a collection
   * @param workspace returns the workspace of the command, and throws where the caller may not see
   *     what is acted on
   * @param work checks and writes; runs in every attempt that is not a retry of an applied one
   * @param kept maps the response to what is stored, and returned to a repeated request
   */
  public <R extends Message> R run(
      Message request,
      String target,
      Function<Write, String> workspace,
      Function<Write, R> work,
      UnaryOperator<R> kept,
      R prototype) {
    Caller caller = Caller.current();
    RequestInfo info = RequestInfo.current();
    if (info.idempotencyKey().isEmpty()) {
      return once(caller.tenant(), caller.actor(), inReach(workspace, work));
    }
    String key = IdempotencyKey.checked(info.idempotencyKey().get());
    byte[] requestHash = hash.of(CanonicalForm.of(request));
    RepeatableValues values = new RepeatableValues(mint, clock.millis());
    FullResponse<R> full = new FullResponse<>(kept);
    Outcome<R> outcome =
        transact(
            values,
            tr -> {
              Write write =
                  write(tr, caller.tenant(), caller.actor(), values, info.idempotencyKey());
              String scope =
                  hash.scope(caller.actor(), workspace.apply(write), info.method(), target, key);
              Optional<AppliedCommand> applied =
                  idempotency.find(tr, caller.tenant(), scope, write.nowMillis());
              if (applied.isPresent()) {
                return full.replayed(repeated(write, applied.get(), requestHash, prototype));
              }
              R response = apply(write, work);
              record(write, scope, requestHash, full.keep(response));
              return new Outcome<>(response, write.lastEvent(), tr.versionstamp());
            });
    return outcome.complete();
  }

  /** Runs an internal command, or one of a client that gave no idempotency key. */
  public <R> R once(String tenant, String actor, Function<Write, R> work) {
    RepeatableValues values = new RepeatableValues(mint, clock.millis());
    String commandId = mint.next("command");
    return once(
        tenant,
        actor,
        values,
        tr -> idempotency.findMinted(tr, tenant, values.nowMillis(), commandId),
        write -> {
          R response = work.apply(write);
          idempotency.recordMinted(write.tr(), tenant, values.nowMillis(), commandId);
          return response;
        });
  }

  private <R> R once(String tenant, String actor, Creation creation, Function<Write, R> work) {
    RepeatableValues values = new RepeatableValues(mint, clock.millis());
    String id = values.id(creation.prefix());
    return once(tenant, actor, values, tr -> creation.trace().find(tr, tenant, id), work);
  }

  /**
   * Runs a command.
   *
   * @param applied returns the stamp of the commit that applied it, read with a conflict
   */
  private <R> R once(
      String tenant,
      String actor,
      RepeatableValues values,
      Function<Transaction, Optional<byte[]>> applied,
      Function<Write, R> work) {
    Holder<R> earlier = new Holder<>();
    Outcome<R> outcome =
        transact(
            values,
            tr -> {
              Optional<byte[]> stamp = applied.apply(tr);
              if (stamp.isPresent()) {
                return earlier.applied(stamp.get());
              }
              Write write = write(tr, tenant, actor, values, Optional.empty());
              R response = apply(write, work);
              earlier.response = response;
              earlier.lastEvent = write.lastEvent();
              return new Outcome<>(response, write.lastEvent(), tr.versionstamp());
            });
    return outcome.complete();
  }

  /**
   * Runs a write that is idempotent because it checks a token that it carries. No command id is
   * recorded.
   *
   * @param write which of these writes it is
   */
  public <R> R fenced(FencedWrite write, String tenant, String actor, Function<Write, R> work) {
    return fenced(write, 0, tenant, actor, work);
  }

  /**
   * Runs a write that is idempotent because it checks a token that it carries. Where it waits for a
   * turn ({@link Write#takeTurn}), another thread may run attempts of it, in one transaction with
   * others of its tenant.
   *
   * @param write which of these writes it is
   * @param bytes about how much its caller has sent
   */
  public <R> R fenced(
      FencedWrite write, long bytes, String tenant, String actor, Function<Write, R> work) {
    Objects.requireNonNull(write);
    RepeatableValues values = new RepeatableValues(mint, clock.millis());
    Turns.Part<R> part =
        new Turns.Part<>(
            tenant,
            bytes,
            (tr, events) ->
                work.apply(new Write(tr, actor, values, events, Optional.empty(), turns)));
    return transact(
        values,
        tr -> apply(write(tr, tenant, actor, values, Optional.empty()), work),
        Optional.of(part));
  }

  private Write write(
      Transaction tr,
      String tenant,
      String actor,
      RepeatableValues values,
      Optional<String> idempotencyKey) {
    return new Write(
        tr, actor, values, new TransactionEvents(log, tr, tenant), idempotencyKey, turns);
  }

  private <T> T transact(RepeatableValues values, Function<Transaction, T> work) {
    return transact(values, work, Optional.empty());
  }

  /**
   * @param part how the command goes with others in one transaction, where it has to wait for a
   *     turn; empty if it can't
   */
  private <T> T transact(
      RepeatableValues values, Function<Transaction, T> work, Optional<Turns.Part<T>> part) {
    try {
      return store.transact(work);
    } catch (TurnTaken taken) {
      values.takeTurn(() -> {});
      return turns.run(taken, () -> store.transact(work), part);
    } finally {
      values.end();
    }
  }

  private static <R> R apply(Write write, Function<Write, R> work) {
    R response = work.apply(write);
    write.finish();
    return response;
  }

  private void record(Write write, String scope, byte[] requestHash, Message response) {
    CommandRecord.Builder record =
        CommandRecord.newBuilder()
            .setRequestHash(ByteString.copyFrom(requestHash))
            .setResponse(response.toByteString())
            .setResponseType(response.getDescriptorForType().getFullName())
            .setExpiresAt(write.nowMillis() + IdempotencyStore.RETENTION_MILLIS);
    write.lastEvent().ifPresent(event -> record.setLastEvent(StoredEventId.of(event)));
    idempotency.record(
        write.tr(), write.tenant(), scope, write.nowMillis(), record.build().toByteArray());
  }

  private <R extends Message> Outcome<R> repeated(
      Write write, AppliedCommand applied, byte[] requestHash, R prototype) {
    try {
      CommandRecord record = CommandRecord.parseFrom(applied.record());
      if (!MessageDigest.isEqual(record.getRequestHash().toByteArray(), requestHash)) {
        throw ProtocolException.of(
                ErrorCode.ERROR_CODE_IDEMPOTENCY_KEY_REUSED,
                "The idempotency key was used with another request; use a new key.")
            .blaming("Idempotency-Key");
      }
      if (record.getResponseRedacted()) {
        throw ProtocolException.of(
            ErrorCode.ERROR_CODE_CONFLICT,
            "The request was applied before, and its answer has been redacted since.");
      }
      Message stored = prototype.getParserForType().parseFrom(record.getResponse());
      @SuppressWarnings(
          "unchecked") // The method is part of the scope, so the response is of its type.
      R response = (R) answers.shown(write.tr(), write.tenant(), stored);
      Optional<PendingEventId> event =
          record.hasLastEvent()
              ? Optional.of(StoredEventId.parse(record.getLastEvent()))
              : Optional.empty();
      return new Outcome<>(response, event, CompletableFuture.completedFuture(applied.stamp()));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored command is damaged", e);
    }
  }

  /**
   * What earlier attempts of a command left in memory, for the attempt that finds one of them
   * applied.
   */
  private static final class Holder<R> {
    private R response;
    private Optional<PendingEventId> lastEvent = Optional.empty();

    Outcome<R> applied(byte[] stamp) {
      return new Outcome<>(
          response, lastEvent, CompletableFuture.completedFuture(Arrays.copyOf(stamp, 10)));
    }
  }
}
