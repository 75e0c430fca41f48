package dev.bridle.cli.tenant;

import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.admin.v1.TenantServiceGrpc.TenantServiceBlockingStub;
import dev.bridle.cli.admin.AdminAccess;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Says which data directory a command works on, and how it prints. */
final class TenantAccess {
  /** A large tenant's deletion takes a while. */
  private static final long DEADLINE_MINUTES = 10;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where the data lies (default: ${DEFAULT-VALUE}; or BRIDLE_DATA_DIR).",
      defaultValue = "${env:BRIDLE_DATA_DIR:-data}")
  private Path dataDir = Path.of("data");

  @Option(names = "--json", description = "Print each tenant as a line of JSON.")
  private boolean json;

  <T> T with(Function<TenantServiceBlockingStub, T> work) {
    return new AdminAccess(dataDir)
        .withChannel(
            channel ->
                work.apply(
                    TenantServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(DEADLINE_MINUTES, TimeUnit.MINUTES)));
  }

  boolean json() {
    return json;
  }
}
