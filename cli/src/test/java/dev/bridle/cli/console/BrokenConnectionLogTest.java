package dev.bridle.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.gateway.HttpGateway;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class BrokenConnectionLogTest {
  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
  private final Logger own = context.getLogger("dev.bridle.http");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final BrokenConnectionLog filter = new BrokenConnectionLog();

  @BeforeEach
  void listen() {
    own.setLevel(Level.INFO);
    lines.start();
    root.addAppender(lines);
    filter.start();
    context.addTurboFilter(filter);
  }

  @AfterEach
  void leave() {
    root.detachAppender(lines);
    own.setLevel(null);
    context.getTurboFilterList().remove(filter);
  }

  @Test
  void bytesThatAreNoHttp2AreOneLineAtInfo() throws IOException {
    ManagedChannel core = NettyChannelBuilder.forAddress("127.0.0.1", 1).usePlaintext().build();
    HttpGateway gateway =
        HttpGateway.start(
            core,
            GatewayOptions.defaults()
                .withListener(on -> on.withPort(0).withShutdownTimeout(Duration.ofMillis(200))));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
      socket.setSoTimeout(10_000);
      String frames = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\u007f".repeat(64);
      socket.getOutputStream().write(frames.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    } finally {
      gateway.close();
      core.shutdownNow();
    }

    assertThat(lines.list)
        .anySatisfy(
            line -> {
              assertThat(line.getLevel()).isEqualTo(Level.INFO);
              assertThat(line.getFormattedMessage()).contains("HTTP/2 connection error");
            })
        .allSatisfy(line -> assertThat(line.getThrowableProxy()).as("%s", line).isNull());
  }
}
