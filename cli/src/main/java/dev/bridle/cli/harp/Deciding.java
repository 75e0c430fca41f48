package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.Confirmation;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.proof.key.Base64Url;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** What approving and rejecting have in common: shows, asks, signs. */
final class Deciding {
  private static final int NONCE_BYTES = 16;

  @Mixin private KeyOptions keys;

  @Option(
      names = "--artifact",
      paramLabel = "FILE",
      required = true,
      description = "The artifact, sealed or not.")
  private Path file = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "A new file for the decision (default: printed).")
  private Optional<Path> out = Optional.empty();

  @Option(
      names = "--valid-for",
      paramLabel = "TIME",
      defaultValue = "5m",
      description = "How long the decision counts, at most as long as the artifact (default: 5m).")
  private Duration validFor = Duration.ofMinutes(5);

  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  /** Shows the artifact, and signs the decision once a person has confirmed it. */
  void decide(CommandSpec spec, Answer answer) {
    Instant now = Instant.now();
    DeviceKeys device = keys.open();
    Artifact artifact = HarpFiles.artifact(file, Optional.of(keys));
    if (!now.isBefore(artifact.expiresAt())) {
      throw new CommandFailed(
          ExitCodes.FAILED, "It could be decided until " + artifact.expiresAt() + ".");
    }
    PrintWriter shown = spec.commandLine().getErr();
    ShownArtifact.lines(artifact).forEach(shown::println);
    shown.flush();
    confirm(spec, answer);
    Instant until = now.plus(validFor);
    Decision.Content content =
        Decision.Content.once(
            Decision.Subject.of(artifact),
            answer,
            until.isBefore(artifact.expiresAt()) ? until : artifact.expiresAt(),
            nonce());
    try {
      Decision decision = Decision.sign(content, device.signerKeyId(), device.signing());
      HarpFiles.write(decision.json(), out, spec.commandLine().getOut());
    } catch (HarpException e) {
      throw HarpFiles.refused(file, e);
    }
  }

  private static String nonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64Url.encode(bytes);
  }

  private void confirm(CommandSpec spec, Answer answer) {
    if (yes) {
      return;
    }
    String ask = "Type '" + answer.alias() + "' to sign that: ";
    if (!Confirmation.typed(spec, spec.commandLine().getErr(), ask, answer.alias())) {
      throw new CommandFailed(ExitCodes.FAILED, "Nothing was signed.");
    }
  }
}
