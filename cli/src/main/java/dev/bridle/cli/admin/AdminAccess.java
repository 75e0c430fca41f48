package dev.bridle.cli.admin;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.AdminServiceGrpc.AdminServiceBlockingStub;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.StoreTrouble;
import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.embedded.OpenRefusedException;
import dev.bridle.storage.fdb.FdbUnavailableException;
import dev.bridle.storage.layer.migration.UnsupportedFormatException;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Runs one piece of work with the admin service of a data directory: of the server that runs there,
 * or of a core that is started for the work alone.
 */
public final class AdminAccess {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final long DEADLINE_SECONDS = 20;

  private final Path dataDir;

  /** Access to that directory. */
  public AdminAccess(Path dataDir) {
    this.dataDir = dataDir;
  }

  /** Runs work with the service of keys and returns what it gives. */
  public <T> T with(Function<AdminServiceBlockingStub, T> work) {
    return withChannel(channel -> work.apply(soon(AdminServiceGrpc.newBlockingStub(channel))));
  }

  /**
   * Runs the work with a channel to all services for operators, which carries the credential and
   * sets no deadline.
   */
  public <T> T withChannel(Function<Channel, T> work) {
    if (!Files.isDirectory(dataDir)) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "There is no data directory "
              + dataDir
              + "; 'bridle up' makes one, --data-dir names another.");
    }
    try {
      Optional<T> result = new RunningCore(dataDir).with(work);
      return result.isPresent() ? result.get() : withDirectory(work);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The data directory " + dataDir + " can't be read: " + e, e);
    } catch (OpenRefusedException | FdbUnavailableException | UnsupportedFormatException e) {
      throw new CommandFailed(ExitCodes.FAILED, e.getMessage(), e);
    } catch (StoreException e) {
      throw StoreTrouble.atStart(dataDir, e);
    } catch (StatusRuntimeException e) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          Optional.ofNullable(e.getStatus().getDescription()).orElse(e.getMessage()),
          e);
    }
  }

  /** Returns the admin service behind a channel, with the directory's credential. */
  public static AdminServiceBlockingStub stub(Channel channel, Path dataDir) throws IOException {
    return soon(AdminServiceGrpc.newBlockingStub(credited(channel, dataDir)));
  }

  private static AdminServiceBlockingStub soon(AdminServiceBlockingStub stub) {
    return stub.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  private static Channel credited(Channel channel, Path dataDir) throws IOException {
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + OperatorKey.of(dataDir));
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private <T> T withDirectory(Function<Channel, T> work) throws IOException {
    EngineChoice engine = EngineChoice.of(dataDir);
    CoreOptions options = CoreOptions.DEFAULT.withListener("127.0.0.1", 0);
    try (KeyValueStore store = engine.open(dataDir);
        CoreServer core =
            CoreServer.start(store, engine.shared() ? options.withSharedStorage() : options)) {
      core.admit(OperatorKey.of(dataDir));
      return work.apply(credited(core.channel(), dataDir));
    }
  }
}
