package dev.bridle.core.kernel.auth;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.coalesce.Periodic;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.error.ProtocolException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Re-validates the credentials of long-lived calls at an interval, and ends calls whose credential
 * has expired or been revoked. Each credential is looked up once per round, however many calls use
 * it. While storage is unavailable, calls continue.
 */
public final class CredentialWatch {
  private static final Logger log = LoggerFactory.getLogger(CredentialWatch.class);

  private final Duration interval;
  private final CoalescingTask rounds;
  private final Set<Watched> watched = ConcurrentHashMap.newKeySet();

  /** Checks each credential once per interval, on that executor. */
  public CredentialWatch(Duration interval, Executor executor) {
    this.interval = interval;
    this.rounds =
        new CoalescingTask(
            executor,
            this::round,
            failure ->
                FailureLog.warn(
                    log,
                    "Checking the credentials of open streams failed; the next round tries again.",
                    failure));
  }

  /** A call whose credential is checked until this is closed. */
  public final class Watched implements AutoCloseable {
    private final CallCredential credential;
    private final Consumer<ProtocolException> end;

    private Watched(CallCredential credential, Consumer<ProtocolException> end) {
      this.credential = credential;
      this.end = end;
    }

    @Override
    public void close() {
      watched.remove(this);
    }
  }

  /** Starts the periodic checks on {@code timer}. */
  public void start(ScheduledExecutorService timer) {
    Periodic.every(timer, interval, "Checking credentials", rounds::schedule);
  }

  /** Watches a call; {@code end} is called at most once, with the error to send to the caller. */
  public Watched watch(CallCredential credential, Consumer<ProtocolException> end) {
    Watched call = new Watched(credential, end);
    watched.add(call);
    return call;
  }

  private boolean round() {
    Map<CallCredential, Boolean> good = new HashMap<>();
    for (Watched call : watched) {
      if (!good.computeIfAbsent(call.credential, CallCredential::isValid)) {
        call.close();
        call.end.accept(
            ProtocolException.of(
                ErrorCode.ERROR_CODE_UNAUTHENTICATED,
                "The credentials of this stream have expired or been revoked."));
      }
    }
    return false;
  }
}
