package dev.bridle.cli.tenant;

import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.admin.v1.TenantServiceGrpc.TenantServiceBlockingStub;
import dev.bridle.cli.admin.DataDirectory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the data directory and the output format of a command. */
final class TenantAccess {
  /** The deletion of a large tenant takes long. */
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
