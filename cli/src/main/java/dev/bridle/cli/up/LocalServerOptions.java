package dev.bridle.cli.up;

import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What all parts in one process are started with.
 *
 * @param dataDir where the server's own files lie, and an embedded store
 * @param storage which engine keeps the data
 * @param core how the core is started
 * @param gateway how the gateway is started
 * @param masterKeyFile the file of the key that secrets are sealed with; where none is named, a
 *     data directory has its own, and a cluster seals nothing
 * @param demoAgent whether the built-in agent takes what no other worker is bound to
 * @param around makes of the opened store what the core works on: the store itself, or one that a
 *     test has put around it
 */
public record LocalServerOptions(
    Path dataDir,
    EngineChoice storage,
    CoreOptions core,
    GatewayOptions gateway,
    Optional<Path> masterKeyFile,
    boolean demoAgent,
    UnaryOperator<KeyValueStore> around) {

  /** Returns the defaults, on any free ports, for that directory. */
  public static LocalServerOptions of(Path dataDir) {
    return new LocalServerOptions(
        dataDir,
        new EngineChoice.Embedded(EmbeddedOptions.DEFAULT),
        CoreOptions.DEFAULT.withListener("127.0.0.1", 0),
        GatewayOptions.defaults().withPort(0),
        Optional.empty(),
        true,
        UnaryOperator.identity());
  }

  /** Returns the same with another engine. */
  public LocalServerOptions withStorage(EngineChoice other) {
    return new LocalServerOptions(dataDir, other, core, gateway, masterKeyFile, demoAgent, around);
  }

  /** Returns the same with another core. */
  public LocalServerOptions withCore(CoreOptions other) {
    return new LocalServerOptions(
        dataDir, storage, other, gateway, masterKeyFile, demoAgent, around);
  }

  /** Returns the same with another gateway. */
  public LocalServerOptions withGateway(GatewayOptions other) {
    return new LocalServerOptions(dataDir, storage, core, other, masterKeyFile, demoAgent, around);
  }

  /** Returns the same with something around the store. */
  public LocalServerOptions withAround(UnaryOperator<KeyValueStore> other) {
    return new LocalServerOptions(dataDir, storage, core, gateway, masterKeyFile, demoAgent, other);
  }
}
