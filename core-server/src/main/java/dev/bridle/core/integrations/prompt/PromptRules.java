package dev.bridle.core.integrations.prompt;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.TaskCreator;
import dev.bridle.core.work.task.TaskSpec;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.task.UnstartedTasks;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.prompt.Prompt;
import dev.bridle.record.v1.PromptRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.relay.v1.HarpRepo;
import dev.bridle.task.v1.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Accepts prompts once, and ends those whose time is over. A prompt is kept for as long as one with
 * its time of creation would be accepted, so that it is never delivered twice.
 */
final class PromptRules {
  /** How old a prompt may be. */
  static final Duration MAX_AGE = Duration.ofDays(7);

  /** By how much clocks of senders may be ahead. */
  static final Duration SKEW = Duration.ofSeconds(60);

  private final PromptStore store;
  private final PromptRates rates;
  private final PromptRouting routing;
  private final TaskStore tasks;
  private final TaskCreator creator;
  private final UnstartedTasks unstarted;

  PromptRules(
      PromptStore store,
      PromptRouting routing,
      TaskStore tasks,
      TaskCreator creator,
      UnstartedTasks unstarted) {
    this.store = store;
    this.rates = new PromptRates(store);
    this.routing = routing;
    this.tasks = tasks;
    this.creator = creator;
    this.unstarted = unstarted;
  }

  /**
   * Accepts a prompt, or finds what became of it.
   *
   * @param expiresAt until when a worker is to have it
   */
  PromptOutcome send(Write write, Caller caller, Prompt prompt, Optional<Instant> expiresAt)
      throws HarpException {
    Optional<PromptRecord> sent =
        store.find(write.tr(), write.tenant(), caller.actor(), prompt.requestId());
    if (sent.isPresent() && !sent.get().getPromptHash().equals(prompt.hash())) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH,
          "another_hash",
          "The request id was sent with another prompt before.");
    }
    if (sent.filter(record -> caller.reaches(record.getWorkspaceId())).isPresent()) {
      return current(write, sent.get());
    }
    PromptRouting.Route route = routing.route(write.tr(), caller, prompt);
    if (route.target().isEmpty() || sent.isPresent()) {
      return PromptOutcome.unstored(
          PromptStatus.REJECTED, sent.isPresent() ? "unmapped" : route.reason());
    }
    Instant now = Instant.ofEpochMilli(write.nowMillis());
    if (prompt.createdAt().isAfter(now.plus(SKEW))) {
      throw new HarpException(
          HarpErrorCode.TRANSPORT, "created_in_the_future", "The prompt is of a time to come.");
    }
    if (prompt.createdAt().isBefore(now.minus(MAX_AGE))) {
      return PromptOutcome.unstored(PromptStatus.EXPIRED, "too_old");
    }
    if (expiresAt.filter(until -> !now.isBefore(until)).isPresent()) {
      return PromptOutcome.unstored(PromptStatus.EXPIRED, "expired");
    }
    return accept(write, prompt, route.target().get(), expiresAt);
  }

  private PromptOutcome accept(
      Write write, Prompt prompt, PromptTarget target, Optional<Instant> expiresAt) {
    if (!routing.isOpen(write.tr(), write.tenant(), target)) {
      return PromptOutcome.unstored(PromptStatus.REJECTED, "closed");
    }
    rates.count(write, prompt.requestId(), target);
    Task task = creator.submitInOrder(write, target.session(), spec(prompt, target));
    long expires = expiresAt.map(Instant::toEpochMilli).orElse(0L);
    // A repeat whose time of creation would still be accepted has to find it.
    long keptUntil = write.nowMillis() + MAX_AGE.plus(SKEW).plusMinutes(1).toMillis();
    PromptRecord record =
        PromptRecord.newBuilder()
            .setActor(write.actor())
            .setRequestId(prompt.requestId())
            .setPromptHash(prompt.hash())
            .setWorkspaceId(task.getWorkspaceId())
            .setSessionId(task.getSessionId())
            .setTaskId(task.getId())
            .setCreatedAt(write.nowMillis())
            .setExpiresAt(expires)
            .setKeptUntil(keptUntil)
            .setDueAt(expires == 0 ? keptUntil : Math.min(expires, keptUntil))
            .build();
    store.insert(write, record);
    return PromptOutcome.of(PromptStatus.QUEUED, record);
  }

  private static TaskSpec spec(Prompt prompt, PromptTarget target) {
    HarpRepo repo = target.repo();
    return TaskSpec.of(
        repo.getWorkspaceId(),
        repo.hasPersonaId() ? Optional.of(repo.getPersonaId()) : Optional.empty(),
        Optional.of(target.session().getId()),
        prompt.text(),
        Payload.of()
            .text("harp_request_id", prompt.requestId())
            .text("harp_repo_id", repo.getId())
            .json());
  }

  private PromptOutcome current(Write write, PromptRecord stored) {
    PromptRecord prompt =
        stored.getExpiresAt() != 0 && write.nowMillis() >= stored.getExpiresAt()
            ? expire(write, stored)
            : stored;
    return PromptOutcome.of(PromptStatus.of(prompt, task(write, prompt)), prompt);
  }

  private TaskRecord task(Write write, PromptRecord prompt) {
    return tasks.find(write.tr(), write.tenant(), prompt.getTaskId()).orElseThrow();
  }

  /** Cancels the task of a prompt whose time is over, unless a worker has had it. */
  private PromptRecord expire(Write write, PromptRecord before) {
    boolean canceled =
        unstarted.cancel(write, task(write, before), "The time of the prompt was over.");
    PromptRecord after =
        before.toBuilder()
            .setExpired(before.getExpired() || canceled)
            .setDueAt(before.getKeptUntil())
            .build();
    if (!after.equals(before)) {
      store.update(write, before, after);
    }
    return after;
  }

  /** Ends a prompt that is due: its time is over, or that for which it is kept. */
  void due(Write write, PromptRecord prompt) {
    long now = write.nowMillis();
    boolean isOver = prompt.getExpiresAt() != 0 && now >= prompt.getExpiresAt();
    PromptRecord after = isOver ? expire(write, prompt) : prompt;
    if (now >= prompt.getKeptUntil()) {
      boolean isWaiting =
          prompt.getExpiresAt() > now
              && PromptStatus.of(prompt, task(write, prompt)) == PromptStatus.QUEUED;
      if (isWaiting) {
        store.update(write, prompt, prompt.toBuilder().setDueAt(prompt.getExpiresAt()).build());
      } else {
        store.remove(write, after);
      }
    }
  }
}
