package dev.bridle.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class MemoryExhaustionTest {
  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Logger log = context.getLogger("io.netty.test");
  private final AtomicInteger ends = new AtomicInteger();
  private final MemoryExhaustion exhaustion = new MemoryExhaustion(ends::incrementAndGet);

  private final List<TurboFilter> others = List.copyOf(context.getTurboFilterList());

  @BeforeEach
  void listenAlone() {
    // The filter of the commands would end the process of this test.
    context.resetTurboFilterList();
    log.setLevel(Level.OFF);
    exhaustion.start();
    context.addTurboFilter(exhaustion);
    new GrpcLog().install();
  }

  @AfterEach
  void leave() {
    context.resetTurboFilterList();
    others.forEach(context::addTurboFilter);
    log.setLevel(null);
  }

  @Test
  void anErrorThatALibraryLogsEndsTheProcessAtWhateverLevel() {
    log.debug("a buffer can't be had", new OutOfMemoryError("Direct buffer memory"));

    assertThat(ends).hasValue(1);
  }

  @Test
  void soDoesOneThatIsTheCauseOfWhatIsLogged() {
    log.warn(
        "{} of {} failed",
        "one",
        "two",
        new CompletionException(new OutOfMemoryError("Direct buffer memory")));

    assertThat(ends).hasValue(1);
  }

  @Test
  void soDoesOneThatTheTransportOfWorkersLogs() {
    java.util.logging.Logger.getLogger("io.grpc.netty.NettyServerHandler")
        .log(
            java.util.logging.Level.WARNING,
            "Exception in onDataRead()",
            new OutOfMemoryError("Direct buffer memory"));

    assertThat(ends.get()).isPositive();
  }

  @Test
  void soDoesOneThatEndsAThread() throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    thread.setUncaughtExceptionHandler(exhaustion);
    thread.start();
    thread.join();

    assertThat(ends.get()).isPositive();
  }

  @Test
  void otherFailuresEndNothing() {
    log.error("failed", new IllegalStateException(new StackOverflowError()));
    log.error("nothing is thrown: {}", "none");
    exhaustion.uncaughtException(Thread.currentThread(), new IllegalStateException("other"));

    assertThat(ends).hasValue(0);
  }
}
