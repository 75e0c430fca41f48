package dev.bridle.cli.acp;

import dev.bridle.cli.console.CommandFailed;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does something after a while that may wait for the server. Left out where too much is going on.
 *
 * @param timer says when
 * @param executor does it
 */
record Later(ScheduledExecutorService timer, ExecutorService executor) {
  private static final Logger log = LoggerFactory.getLogger(Later.class);

  void after(Duration pause, Runnable action) {
    var unused = timer.schedule(() -> begin(action), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void begin(Runnable action) {
    try {
      executor.execute(
          () -> {
            try {
              action.run();
            } catch (CommandFailed | EditorLink.EditorGone e) {
              log.debug("Left out", e);
            }
          });
    } catch (RejectedExecutionException e) {
      log.debug("Left out, since too much is going on", e);
    }
  }
}
