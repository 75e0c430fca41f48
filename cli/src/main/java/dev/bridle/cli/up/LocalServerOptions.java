package dev.bridle.cli.up;

import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.storage.embedded.EmbeddedOptions;
import java.nio.file.Path;

/**
 * What all parts in one process are started with.
 *
 * @param dataDir where the server's own files lie, and an embedded store
 * @param storage which engine keeps the data
 * @param core how the core is started
 * @param gateway how the gateway is started
 * @param demoAgent whether the built-in agent takes what no other worker is bound to
 */
public record LocalServerOptions(
    Path dataDir,
    EngineChoice storage,
    CoreOptions core,
    GatewayOptions gateway,
    boolean demoAgent) {

  /** Returns the defaults, on any free ports, for that directory. */
  public static LocalServerOptions of(Path dataDir) {
    return new LocalServerOptions(
        dataDir,
        new EngineChoice.Embedded(EmbeddedOptions.DEFAULT),
        CoreOptions.DEFAULT.withListener("127.0.0.1", 0),
        GatewayOptions.defaults().withPort(0),
        true);
  }

  /** Returns the same with another engine. */
  public LocalServerOptions withStorage(EngineChoice other) {
    return new LocalServerOptions(dataDir, other, core, gateway, demoAgent);
  }

  /** Returns the same with another core. */
  public LocalServerOptions withCore(CoreOptions other) {
    return new LocalServerOptions(dataDir, storage, other, gateway, demoAgent);
  }

  /** Returns the same with another gateway. */
  public LocalServerOptions withGateway(GatewayOptions other) {
    return new LocalServerOptions(dataDir, storage, core, other, demoAgent);
  }
}
