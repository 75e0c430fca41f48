package dev.bridle.cli.tenant;

import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.admin.v1.TenantServiceGrpc.TenantServiceBlockingStub;
import dev.bridle.cli.admin.DataDirectory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says which data directory a command works on, and how it prints. */
final class TenantAccess {
  /** A large tenant's deletion takes a while. */
  private static final long DEADLINE_MINUTES = 10;

  @Mixin private DataDirectory directory;

  @Option(names = "--json", description = "Print each tenant as a line of JSON.")
  private boolean json;

  <T> T with(Function<TenantServiceBlockingStub, T> work) {
    return directory
        .access()
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
