package dev.bridle.core.fault;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Keeps what the core says of planned failures out of the test's output. */
public final class QuietLog implements BeforeAllCallback, AfterAllCallback {
  private static final String CORE = "dev.bridle";

  @Override
  public void beforeAll(ExtensionContext context) {
    ((Logger) LoggerFactory.getLogger(CORE)).setLevel(Level.OFF);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    ((Logger) LoggerFactory.getLogger(CORE)).setLevel(null);
  }
}
