package dev.bridle.core.work.quota;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configuration;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskQuotas;
import dev.bridle.quota.v1.Quota;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskUsage;
import dev.bridle.storage.layer.KeyLayout;
import java.util.List;
import java.util.Optional;

/**
 * Enforces quotas before tasks start and while they run. Running usage is counted as the difference
 * of the task record's usage, so that each stored change counts exactly once.
 */
public final class Metering implements TaskQuotas {
  private static final List<Measure> SPENT =
      List.of(Measure.TOKENS, Measure.MONEY, Measure.TOOL_CALLS, Measure.WALL_TIME);
  private static final int CONCURRENCY_RETRY_SECONDS = 5;

  private final BoundQuotas bound;
  private final QuotaUsage usage;

  public Metering(KeyLayout layout, Events events) {
    this.bound = new BoundQuotas(layout);
    this.usage = new QuotaUsage(layout, events);
  }

  @Override
  public void admit(TaskChange change, Configuration configuration) {
    List<Quota> quotas = BoundQuotas.of(change, configuration);
    for (Quota quota : quotas) {
      for (Measure measure : Measure.values()) {
        needRoom(change.write(), quota, measure);
      }
    }
    count(change, quotas);
    countRequest(change, quotas);
  }

  @Override
  public void adopt(TaskChange change, Configuration configuration) {
    count(change, BoundQuotas.of(change, configuration));
  }

  private void count(TaskChange change, List<Quota> quotas) {
    change.bindQuotas(quotas.stream().map(Quota::getId).toList());
    for (Quota quota : quotas) {
      usage.add(change.write(), quota, Measure.TASKS, change.id(), 1);
      usage.add(change.write(), quota, Measure.CONCURRENCY, change.id(), 1);
    }
  }

  @Override
  public void message(TaskChange change) {
    List<Quota> quotas = bound.boundTo(change);
    quotas.forEach(quota -> needRoom(change.write(), quota, Measure.REQUESTS));
    countRequest(change, quotas);
  }

  private void countRequest(TaskChange change, List<Quota> quotas) {
    for (Quota quota : quotas) {
      if (Measure.REQUESTS.ceiling(quota).isPresent()) {
        usage.add(change.write(), quota, Measure.REQUESTS, change.id(), 1);
      }
    }
  }

  private void needRoom(Write write, Quota quota, Measure measure) {
    Optional<Long> ceiling = measure.ceiling(quota);
    if (!quota.getHardLimit() || ceiling.isEmpty()) {
      return;
    }
    long used = usage.usedBefore(write, quota, measure, ceiling.get(), 1);
    if (used + 1 > ceiling.get()) {
      throw refusal(write, quota, measure, used);
    }
  }

  /** Requests that may succeed later are rate-limited; others violate the policy. */
  private static ProtocolException refusal(Write write, Quota quota, Measure measure, long used) {
    int wait =
        switch (measure) {
          case REQUESTS -> Measure.secondsOfMinute(write.nowMillis());
          case CONCURRENCY -> CONCURRENCY_RETRY_SECONDS;
          default -> secondsToReset(quota, write.nowMillis());
        };
    return ProtocolException.of(
            wait > 0 ? ErrorCode.ERROR_CODE_RATE_LIMITED : ErrorCode.ERROR_CODE_POLICY_VIOLATION,
            "A hard quota is used up.")
        .with("quota_id", quota.getId())
        .with("limit", measure.limit())
        .with("allowed", quota.getLimitsOrThrow(measure.limit()))
        .with("used", measure.toLimitUnit(used))
        .retryAfter(wait);
  }

  private static int secondsToReset(Quota quota, long now) {
    long millis = quota.hasResetAt() ? Timestamps.toMillis(quota.getResetAt()) - now : 0;
    return (int) Math.min(Integer.MAX_VALUE, (Math.max(0, millis) + 999) / 1000);
  }

  @Override
  public Optional<Failure> breach(TaskChange change, Step step) {
    for (Quota quota : bound.boundTo(change)) {
      for (Measure measure : SPENT) {
        Optional<Long> ceiling = measure.ceiling(quota).filter(any -> quota.getHardLimit());
        if (ceiling.isPresent()) {
          long own =
              spent(change.record().getUsage(), measure)
                  - spent(change.before().getUsage(), measure);
          long more = more(step, measure);
          long used =
              own + usage.usedBefore(change.write(), quota, measure, ceiling.get(), own + more);
          if (used + more > ceiling.get()) {
            return Optional.of(failure(quota, measure, used));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static long more(Step step, Measure measure) {
    return switch (step) {
      case GO_ON -> 0;
      case BEGIN -> 1;
      case TOOL_CALL -> measure == Measure.TOOL_CALLS ? 1 : 0;
    };
  }

  private static Failure failure(Quota quota, Measure measure, long used) {
    double allowed = quota.getLimitsOrThrow(measure.limit());
    return Failure.newBuilder()
        .setCode("quota_exceeded")
        .setMessage("A hard quota is used up: its limit of " + measure.limit() + ".")
        .setDetails(
            Payload.of()
                .text("quota_id", quota.getId())
                .text("limit", measure.limit())
                .fraction("allowed", allowed)
                .fraction("used", measure.toLimitUnit(used))
                .json())
        .build();
  }

  @Override
  public void settle(Write write, TaskRecord before, TaskRecord after) {
    if (after.getQuotaIdsCount() == 0) {
      return;
    }
    boolean ended =
        !TaskLifecycle.terminal(before.getTask().getStatus())
            && TaskLifecycle.terminal(after.getTask().getStatus());
    if (!ended && before.getUsage().equals(after.getUsage())) {
      return;
    }
    String task = after.getTask().getId();
    for (Quota quota : bound.named(write, after)) {
      for (Measure measure : SPENT) {
        long amount = spent(after.getUsage(), measure) - spent(before.getUsage(), measure);
        usage.add(write, quota, measure, task, amount);
      }
      usage.add(write, quota, Measure.CONCURRENCY, task, ended ? -1 : 0);
    }
  }

  private static long spent(TaskUsage used, Measure measure) {
    return switch (measure) {
      case TOKENS -> used.getTokens();
      case MONEY -> used.getCostMicros();
      case TOOL_CALLS -> used.getToolCalls();
      case WALL_TIME -> used.getRunningMillis();
      default -> 0;
    };
  }
}
