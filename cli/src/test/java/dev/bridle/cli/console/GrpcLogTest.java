package dev.bridle.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class GrpcLogTest {
  private final Logger log = (Logger) LoggerFactory.getLogger("dev.bridle.grpc");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private Level before;

  @BeforeEach
  void listen() {
    before = log.getLevel();
    log.setLevel(Level.INFO);
    lines.start();
    log.addAppender(lines);
    new GrpcLog().install();
  }

  @AfterEach
  void leave() {
    log.detachAppender(lines);
    log.setLevel(before);
  }

  @Test
  void whatAPeerSentIsOneLineAtInfo() {
    java.util.logging.Logger.getLogger("io.grpc.netty.NettyServerTransport.connections")
        .log(
            java.util.logging.Level.WARNING,
            "Transport failed",
            new IllegalArgumentException("no preface\nsecond line"));

    assertThat(lines.list).hasSize(1);
    ILoggingEvent line = lines.list.get(0);
    assertThat(line.getLevel()).isEqualTo(Level.INFO);
    assertThat(line.getFormattedMessage())
        .isEqualTo("Transport failed: java.lang.IllegalArgumentException: no preface");
    assertThat(line.getThrowableProxy()).isNull();
  }

  @Test
  void whatTheServerFailedInKeepsItsStackTrace() {
    java.util.logging.Logger.getLogger("io.grpc.internal.SerializingExecutor")
        .log(java.util.logging.Level.SEVERE, "Exception", new IllegalStateException("ours"));

    assertThat(lines.list).hasSize(1);
    assertThat(lines.list.get(0).getLevel()).isEqualTo(Level.ERROR);
    assertThat(lines.list.get(0).getThrowableProxy()).isNotNull();
  }
}
