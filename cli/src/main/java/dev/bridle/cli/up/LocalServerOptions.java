package dev.bridle.cli.up;

import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.cli.tls.ServerCertificate;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The options of a server in this process.
 *
 * @param dataDir the directory of the server's own files and of an embedded store
 * @param storage the storage engine
 * @param core the options of the core
 * @param gateway the options of the gateway
 * @param harp how HARP is served; if absent, it is not
 * @param masterKeyFile the file of the master key that encrypts secrets; if absent, a data
 *     directory uses its own key, and a cluster can't encrypt secrets
 * @param demoAgent whether the built-in agent takes tasks that no other worker is bound to
 * @param certificate the certificate of all listeners, which the server closes; if absent, they
 *     speak plaintext
 * @param around returns the store that the core uses: the opened store, or a test's wrapper of it
 */
public record LocalServerOptions(
    Path dataDir,
    EngineChoice storage,
    CoreOptions core,
    GatewayOptions gateway,
    Optional<HarpServing> harp,
    Optional<Path> masterKeyFile,
    boolean demoAgent,
    Optional<ServerCertificate> certificate,
    UnaryOperator<KeyValueStore> around) {

  /** Returns the default options for a directory, with free ports. */
  public static LocalServerOptions of(Path dataDir) {
    return new LocalServerOptions(
        dataDir,
        new EngineChoice.Embedded(EmbeddedOptions.DEFAULT),
        CoreOptions.DEFAULT.withListener("127.0.0.1", 0),
        GatewayOptions.defaults().withListener(on -> on.withPort(0)),
        Optional.empty(),
        Optional.empty(),
        true,
        Optional.empty(),
        UnaryOperator.identity());
  }

  /** Returns a copy without the built-in agent. */
  public LocalServerOptions withoutDemoAgent() {
    return new LocalServerOptions(
        dataDir, storage, core, gateway, harp, masterKeyFile, false, certificate, around);
  }

  /** Returns a copy with another storage engine. */
  public LocalServerOptions withStorage(EngineChoice other) {
    return new LocalServerOptions(
        dataDir, other, core, gateway, harp, masterKeyFile, demoAgent, certificate, around);
  }

  /** Returns a copy with other core options. */
  public LocalServerOptions withCore(CoreOptions other) {
    return new LocalServerOptions(
        dataDir, storage, other, gateway, harp, masterKeyFile, demoAgent, certificate, around);
  }

  /** Returns a copy with other gateway options. */
  public LocalServerOptions withGateway(GatewayOptions other) {
    return new LocalServerOptions(
        dataDir, storage, core, other, harp, masterKeyFile, demoAgent, certificate, around);
  }

  /** Returns a copy that serves HARP at a port. */
  public LocalServerOptions withHarpPort(int port) {
    return withHarp(Optional.of(HarpServing.at(port)));
  }

  /** Returns a copy that serves HARP in another way, or not. */
  public LocalServerOptions withHarp(Optional<HarpServing> other) {
    return new LocalServerOptions(
        dataDir, storage, core, gateway, other, masterKeyFile, demoAgent, certificate, around);
  }

  /** Returns a copy with a wrapper of the store. */
  public LocalServerOptions withAround(UnaryOperator<KeyValueStore> other) {
    return new LocalServerOptions(
        dataDir, storage, core, gateway, harp, masterKeyFile, demoAgent, certificate, other);
  }
}
