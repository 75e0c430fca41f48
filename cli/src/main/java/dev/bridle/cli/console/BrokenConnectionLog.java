package dev.bridle.cli.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.helpers.MessageFormatter;

/**
 * Logs a connection error caused by a peer's bytes, invalid HTTP/2 or a TLS handshake that fails,
 * as one line at info level. Armeria logs a warning with a stack trace, with which any peer could
 * fill the log, and for TLS also the bytes, which may hold credentials.
 */
final class BrokenConnectionLog extends TurboFilter {
  static final String CONNECTIONS =
      "com.linecorp.armeria.internal.common.AbstractHttp2ConnectionHandler";

  static final String HANDSHAKES = "com.linecorp.armeria.server.HttpServerPipelineConfigurator";

  @Override
  public FilterReply decide(
      Marker marker, Logger logger, Level level, String format, Object[] params, Throwable thrown) {
    if (format == null || level != Level.WARN) {
      return FilterReply.NEUTRAL;
    }
    if (logger.getName().equals(HANDSHAKES)) {
      LoggerFactory.getLogger("dev.bridle.http").info("A TLS handshake failed.");
      return FilterReply.DENY;
    }
    if (!logger.getName().equals(CONNECTIONS)) {
      return FilterReply.NEUTRAL;
    }
    LoggerFactory.getLogger("dev.bridle.http")
        .info(MessageFormatter.arrayFormat(format, params).getMessage());
    return FilterReply.DENY;
  }
}
