package dev.bridle.cli.up;

import dev.bridle.fixtures.suite.AgentsProtocolSuite;
import dev.bridle.fixtures.suite.ServerUnderTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The whole suite of the protocol against the real server. */
final class AgentsProtocolIT extends AgentsProtocolSuite {

  @RegisterExtension static final RunningServer SERVER = new RunningServer();

  @Override
  protected ServerUnderTest server() {
    return SERVER.description();
  }
}
