package dev.bridle.cli.admin;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.AdminServiceGrpc.AdminServiceBlockingStub;
import dev.bridle.cli.console.Timeouts;
import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.cli.masterkey.MasterKeyFile;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.storage.KeyValueStore;
import io.grpc.Channel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Runs an action with the admin service of a data directory: of the running server, or of a core
 * that is started only for this action.
 */
public final class AdminAccess {
  private final Path dataDir;

  /** Creates access to a data directory. */
  public AdminAccess(Path dataDir) {
    this.dataDir = dataDir;
  }

  /** Runs an action with the admin service and returns its result. */
  public <T> T with(Function<AdminServiceBlockingStub, T> work) {
    return withChannel(channel -> work.apply(soon(AdminServiceGrpc.newBlockingStub(channel))));
  }

  /**
   * Runs an action with a channel to all admin services. The channel sends the operator's
   * credential and sets no deadline.
   */
  public <T> T withChannel(Function<Channel, T> work) {
    return ServerOrDirectory.work(dataDir, work, () -> withDirectory(work));
  }

  /** Returns a stub of the admin service that sends the directory's credential. */
  public static AdminServiceBlockingStub stub(Channel channel, Path dataDir) throws IOException {
    return soon(AdminServiceGrpc.newBlockingStub(OperatorKey.on(channel, dataDir)));
  }

  private static AdminServiceBlockingStub soon(AdminServiceBlockingStub stub) {
    return stub.withDeadlineAfter(Timeouts.OPERATOR_CALL.toSeconds(), TimeUnit.SECONDS);
  }

  private <T> T withDirectory(Function<Channel, T> work) throws IOException {
    EngineChoice engine = EngineChoice.of(dataDir);
    CoreOptions options =
        CoreOptions.DEFAULT
            .withListener("127.0.0.1", 0)
            .withAccess(
                MasterKeyFile.beside(dataDir)
                    .map(AccessOptions.NONE::withMasterKey)
                    .orElse(AccessOptions.NONE))
            .forOperatorOnly();
    try (KeyValueStore store = engine.open(dataDir);
        CoreServer core =
            CoreServer.start(store, engine.shared() ? options.withSharedStorage() : options)) {
      core.admit(OperatorKey.of(dataDir));
      return work.apply(OperatorKey.on(core.channel(), dataDir));
    }
  }
}
