package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.harp.seal.SealedArtifact;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that say what is decided: an artifact in a file, or a request in a relay's inbox. */
final class AskedArtifact {
  @Option(names = "--artifact", paramLabel = "FILE", description = "The artifact, sealed or not.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--request",
      paramLabel = "ID",
      description = "A request at a relay instead, as 'bridle harp inbox' lists it.")
  private Optional<String> request = Optional.empty();

  @Option(
      names = "--approver",
      paramLabel = "ID",
      description = "The approver at the relay, in whose inbox it is.")
  private Optional<String> approver = Optional.empty();

  @Mixin private RelayChoice relay;

  /** Returns whether it is at a relay. */
  boolean isAtRelay() {
    return request.isPresent();
  }

  /** Returns the approver at the relay. */
  String approver() {
    return approver.orElseThrow(() -> usage("Name the approver at the relay with --approver."));
  }

  /** Returns a client of the relay. */
  RelayClient connect() {
    return relay.connect();
  }

  /** Returns what a failure names. */
  Path named() {
    return file.orElseGet(() -> Path.of(request.orElse("")));
  }

  /**
   * Returns the artifact, whose hash was checked.
   *
   * @param keys opens one whose payload is sealed
   */
  Artifact open(Optional<KeyOptions> keys) {
    if (file.isPresent() == request.isPresent()) {
      throw usage("Name either a file with --artifact, or a request of a relay with --request.");
    }
    return file.isPresent() ? HarpFiles.artifact(file.get(), keys) : received(keys);
  }

  private Artifact received(Optional<KeyOptions> keys) {
    KeyOptions own =
        keys.orElseThrow(() -> usage("A request of a relay is sealed: name the keys with --keys."));
    AtomicReference<Optional<GatewayEnvelope>> found = new AtomicReference<>(Optional.empty());
    connect()
        .inbox(
            approver(),
            item -> {
              if (item.requestId().equals(request.orElseThrow())) {
                found.set(Optional.of(item));
              }
            });
    GatewayEnvelope item =
        found
            .get()
            .orElseThrow(
                () ->
                    new CommandFailed(
                        ExitCodes.FAILED,
                        "The request does not wait for this approver; 'bridle harp inbox' lists"
                            + " those that do."));
    try {
      return open(item, own);
    } catch (HarpException e) {
      throw HarpFiles.refused(named(), e);
    }
  }

  /**
   * Returns the artifact of a request, whose hash was checked.
   *
   * @throws HarpException if the keys do not open it, or it was changed
   */
  static Artifact open(GatewayEnvelope item, KeyOptions keys) throws HarpException {
    var body = item.body();
    SealedArtifact sealed =
        ArtifactSubmit.sealed(
            item.requestId(), body.path("artifactHash").asText(), body.withObject("/ciphertext"));
    return sealed.open(keys.open().agreement());
  }

  private static CommandFailed usage(String message) {
    return new CommandFailed(ExitCodes.USAGE, message);
  }
}
