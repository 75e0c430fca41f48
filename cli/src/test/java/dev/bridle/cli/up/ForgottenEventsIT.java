package dev.bridle.cli.up;

import dev.bridle.fixtures.suite.ServerUnderTest;
import dev.bridle.fixtures.suite.StreamCursors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The stories about cursors on a server of their own, since one of them makes it forget. */
@Tag("slow")
final class ForgottenEventsIT extends StreamCursors {

  @RegisterExtension static final RunningServer SERVER = new RunningServer();

  @Override
  protected ServerUnderTest server() {
    return SERVER.description().withExpiry(SERVER::forgetThrough);
  }
}
