package dev.bridle.cli.up;

import dev.bridle.core.server.CoreOptions;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.storage.embedded.EmbeddedOptions;
import java.nio.file.Path;

/**
 * What all parts in one process are started with.
 *
 * @param dataDir where the store and the server's own files lie
 * @param store how the store is opened
 * @param core how the core is started
 * @param gateway how the gateway is started
 * @param demoAgent whether the built-in agent takes what no other worker is bound to
 */
public record LocalServerOptions(
    Path dataDir,
    EmbeddedOptions store,
    CoreOptions core,
    GatewayOptions gateway,
    boolean demoAgent) {

  /** Returns the defaults, on any free ports, for that directory. */
  public static LocalServerOptions of(Path dataDir) {
    return new LocalServerOptions(
        dataDir,
        EmbeddedOptions.DEFAULT,
        CoreOptions.DEFAULT.withListener("127.0.0.1", 0),
        GatewayOptions.defaults().withPort(0),
        true);
  }

  /** Returns the same with another core. */
  public LocalServerOptions withCore(CoreOptions other) {
    return new LocalServerOptions(dataDir, store, other, gateway, demoAgent);
  }

  /** Returns the same with another gateway. */
  public LocalServerOptions withGateway(GatewayOptions other) {
    return new LocalServerOptions(dataDir, store, core, other, demoAgent);
  }
}
