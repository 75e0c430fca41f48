package dev.bridle.cli.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Configures logging to stderr; stdout is for the output of commands. The system property {@code
 * bridle.log.level} sets the level of Bridle's own loggers; libraries log at WARN and above.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
  /** The system property that sets the level. */
  public static final String LEVEL_PROPERTY = "bridle.log.level";

  /** Creates the configurator; called by Logback. */
  public LogSetup() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%n%ex{short}");
    encoder.start();
    ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
    stderr.setContext(context);
    stderr.setTarget("System.err");
    stderr.setEncoder(encoder);
    stderr.start();
    context.getLogger("ROOT").addAppender(stderr);
    context.getLogger("ROOT").setLevel(Level.WARN);
    // Connection failures of webhook receivers are recorded in the delivery log.
    context.getLogger("com.linecorp.armeria.client").setLevel(Level.ERROR);
    context
        .getLogger("dev.bridle")
        .setLevel(Level.toLevel(System.getProperty(LEVEL_PROPERTY, "warn"), Level.WARN));
    new GrpcLog().install();
    MemoryExhaustion exhaustion = MemoryExhaustion.ofThisProcess();
    exhaustion.setContext(context);
    exhaustion.start();
    context.addTurboFilter(exhaustion);
    BrokenConnectionLog broken = new BrokenConnectionLog();
    broken.setContext(context);
    broken.start();
    context.addTurboFilter(broken);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
