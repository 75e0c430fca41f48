package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.RequestedActions;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.SealedArtifact;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes an artifact of what is to be decided, as an enforcer. */
@Command(
    name = "artifact",
    description = {
      "Make an artifact of what is to be decided, as an enforcer.",
      "Keep the one with its payload: a decision is verified against it. With --for, write a"
          + " second one, whose payload only that device opens."
    },
    footer = {
      "%nExample:",
      "  bridle harp artifact --type command.review --payload action.json --out a.json \\",
      "      --for phone.json --sealed sealed.json"
    })
final class ArtifactCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = "--type",
      required = true,
      description =
          "What it is: plan.review, task.review, patch.review, command.review or"
              + " checkpoint.review.")
  private String type = "";

  @Option(
      names = "--payload",
      paramLabel = "FILE",
      required = true,
      description = "A JSON object with the exact content, without null and fractions.")
  private Path payload = Path.of("");

  @Option(
      names = "--repo",
      paramLabel = "REF",
      defaultValue = "local",
      description = "An opaque reference to the place (default: local).")
  private String repoRef = "";

  @Option(
      names = "--action",
      paramLabel = "ID=DECISION=CAPTION",
      description =
          "A button that the device is asked to show, such as run=approve='Run it'. Repeatable, at"
              + " most 5.")
  private List<String> actions = List.of();

  @Option(names = "--request", paramLabel = "ID", description = "The request's id (default: new).")
  private Optional<String> requestId = Optional.empty();

  @Option(
      names = "--valid-for",
      paramLabel = "TIME",
      defaultValue = "10m",
      description = "How long it can be decided (default: 10m).")
  private Duration validFor = Duration.ofMinutes(10);

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "A new file for it (default: printed).")
  private Optional<Path> out = Optional.empty();

  @Option(
      names = "--for",
      paramLabel = "FILE",
      description = "A device's public keys, for which the payload is sealed.")
  private Optional<Path> device = Optional.empty();

  @Option(
      names = "--sealed",
      paramLabel = "FILE",
      description = "A new file for the sealed artifact (default: printed).")
  private Optional<Path> sealed = Optional.empty();

  /** Creates the command; called by picocli. */
  ArtifactCommand() {}

  @Override
  public void run() {
    Instant now = Instant.now();
    try {
      Artifact artifact =
          Artifact.create(
              new Artifact.About(
                  requestId.orElseGet(() -> UUID.randomUUID().toString()),
                  type,
                  repoRef,
                  now,
                  now.plus(validFor),
                  Optional.empty()),
              HarpFiles.object(payload),
              buttons());
      HarpFiles.write(artifact.json(), out, spec.commandLine().getOut());
      if (device.isPresent()) {
        byte[] key = TrustedKeys.agreementKey(device.get());
        boolean opensExtensions =
            HarpFiles.object(device.get()).path("opensExtensions").asBoolean();
        HarpFiles.write(
            (opensExtensions
                    ? SealedArtifact.sealWithExtensions(artifact, key, new SecureRandom())
                    : SealedArtifact.seal(artifact, key, new SecureRandom()))
                .json(),
            sealed,
            spec.commandLine().getOut());
      }
    } catch (HarpException e) {
      throw HarpFiles.refused(payload, e);
    }
  }

  private Optional<ObjectNode> buttons() {
    if (actions.isEmpty()) {
      return Optional.empty();
    }
    Optional<ObjectNode> extension =
        RequestedActions.extension(actions.stream().map(ArtifactCommand::button).toList());
    if (extension.isEmpty()) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "At most 5 buttons, with a caption, whose ids differ in more than case.");
    }
    return extension;
  }

  private static RequestedActions.Action button(String text) {
    String[] parts = text.split("=", 3);
    Optional<Answer> answer =
        Arrays.stream(Answer.values())
            .filter(one -> parts.length == 3 && one.alias().equals(parts[1]))
            .findFirst();
    return new RequestedActions.Action(
        parts[0],
        parts[parts.length - 1],
        "secondary",
        answer.orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.USAGE,
                    "--action is ID=approve=CAPTION or ID=reject=CAPTION, not '" + text + "'.")));
  }
}
