package dev.bridle.cli.audit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** All that Bridle logs, at every level, while this is open. */
final class LogLines implements AutoCloseable {
  private final Logger ours = (Logger) LoggerFactory.getLogger("dev.bridle");
  private final Level before = ours.getLevel();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(
              event.getFormattedMessage()
                  + (event.getThrowableProxy() == null
                      ? ""
                      : ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
      };

  LogLines() {
    appender.start();
    ours.setLevel(Level.TRACE);
    ours.addAppender(appender);
  }

  List<String> all() {
    return lines;
  }

  @Override
  public void close() {
    ours.detachAppender(appender);
    ours.setLevel(before);
  }
}
