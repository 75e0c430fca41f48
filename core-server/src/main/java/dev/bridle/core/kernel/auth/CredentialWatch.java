package dev.bridle.core.kernel.auth;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.turn.Turns;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks from time to time whether the credentials of calls that last are good still, and ends those
 * calls whose are not. Each credential is looked up once a round, however many calls hold it. Where
 * storage does not answer, calls go on until it does.
 */
public final class CredentialWatch {
  private static final Logger log = LoggerFactory.getLogger(CredentialWatch.class);

  private final Duration interval;
  private final Turns rounds;
  private final Set<Watched> watched = ConcurrentHashMap.newKeySet();

  /** Looks at each credential once an interval, on that executor. */
  public CredentialWatch(Duration interval, Executor executor) {
    this.interval = interval;
    this.rounds =
        new Turns(
            executor,
            this::round,
            failure -> FailureLog.warn(log, "Looking at credentials failed and goes on.", failure));
  }

  /** One call that is watched, until it is closed. */
  public final class Watched implements AutoCloseable {
    private final HeldCredential credential;
    private final Consumer<ProtocolException> end;

    private Watched(HeldCredential credential, Consumer<ProtocolException> end) {
      this.credential = credential;
      this.end = end;
    }

    @Override
    public void close() {
      watched.remove(this);
    }
  }

  /** Begins to look on {@code timer}. */
  public void start(ScheduledExecutorService timer) {
    var unused =
        timer.scheduleWithFixedDelay(
            rounds::ask, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Watches a call; {@code end} is told once, with what its caller is to hear. */
  public Watched watch(HeldCredential credential, Consumer<ProtocolException> end) {
    Watched call = new Watched(credential, end);
    watched.add(call);
    return call;
  }

  private boolean round() {
    Map<HeldCredential, Boolean> good = new HashMap<>();
    for (Watched call : watched) {
      if (!good.computeIfAbsent(call.credential, HeldCredential::holds)) {
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
