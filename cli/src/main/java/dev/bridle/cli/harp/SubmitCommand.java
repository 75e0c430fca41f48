package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.seal.SealedArtifact;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Sends a sealed artifact to a relay, as an enforcer, and fetches the decision. */
@Command(
    name = "submit",
    description = {
      "Send a sealed artifact to a relay, as an enforcer, and fetch the decision.",
      "With --seal-at-server the artifact is in plaintext, and the server seals it for the"
          + " approver's enrolled device: only for a server that may see it.",
      "The relay sees who asks whom, the header and the hash, and not the payload. What it gives"
          + " back is verified by 'bridle harp enforce'. A repeat of the same artifact changes"
          + " nothing, and waits again.",
      "",
      "Exit codes: 0 sent, or with --wait decided; 1 not decided in time, withdrawn or expired."
    },
    footer = {
      "%nExample:",
      "  bridle harp submit --enforcer ci --artifact sealed.json --trusted phone.json --wait 10m"
          + " --out d.json",
      "  bridle harp enforce --trusted phone.json --artifact a.json --decision d.json && make deploy"
    })
final class SubmitCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private EnforcerChoice enforcer;

  @Option(
      names = "--artifact",
      paramLabel = "FILE",
      required = true,
      description = "The sealed artifact.")
  private Path file = Path.of("");

  @Option(
      names = "--approver",
      paramLabel = "ID",
      description = "The approver that is asked (default: all of the tenant).")
  private Optional<String> approver = Optional.empty();

  @Option(
      names = "--seal-at-server",
      description = "Send the artifact in plaintext, to be sealed for an enrolled device.")
  private boolean sealAtServer;

  @Option(
      names = "--trusted",
      paramLabel = "FILE",
      description =
          "The file of a paired device, which is asked: 'bridle harp pair offer' writes it.")
  private Optional<Path> trusted = Optional.empty();

  @Option(
      names = "--label",
      paramLabel = "TEXT",
      description = "A line that approvers and the relay see before the payload is opened.")
  private Optional<String> label = Optional.empty();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      description = "Wait so long for the decision (default: do not wait).")
  private Optional<Duration> wait = Optional.empty();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "A new file for the decision (default: printed).")
  private Optional<Path> out = Optional.empty();

  @Option(
      names = "--envelope",
      paramLabel = "FILE",
      description = "Send nothing: write what would be sent to this new file, for other clients.")
  private Optional<Path> envelopeFile = Optional.empty();

  /** Creates the command; called by picocli. */
  SubmitCommand() {}

  @Override
  public void run() {
    if (approver.isPresent() && trusted.isPresent()) {
      throw new CommandFailed(
          ExitCodes.USAGE, "--approver and --trusted both name who is asked: give one of them.");
    }
    if (sealAtServer) {
      sendPlaintext();
      return;
    }
    SealedArtifact sealed = sealed();
    ObjectNode envelope = envelope(sealed);
    if (envelopeFile.isPresent()) {
      if (wait.isPresent() || out.isPresent()) {
        throw new CommandFailed(
            ExitCodes.USAGE,
            "--envelope sends nothing, so there is no decision for --wait, --out.");
      }
      HarpFiles.write(envelope, envelopeFile, spec.commandLine().getOut());
      return;
    }
    send("/v1/artifacts", sealed.requestId(), envelope);
  }

  private void sendPlaintext() {
    if (trusted.isPresent() || label.isPresent() || envelopeFile.isPresent()) {
      throw new CommandFailed(
          ExitCodes.USAGE, "--seal-at-server takes no --trusted, --label and --envelope.");
    }
    Artifact artifact = HarpFiles.artifact(file, Optional.empty());
    String to = "/v1/artifact?enforcerId=" + RestClient.escape(enforcer.id());
    String asked = approver.map(id -> "&approverId=" + RestClient.escape(id)).orElse("");
    send(to + asked, artifact.requestId(), artifact.json());
  }

  private ObjectNode envelope(SealedArtifact sealed) {
    ObjectNode envelope =
        RelayClient.envelope("artifact.submit", sealed.requestId(), "enforcerId", enforcer.id());
    approver.ifPresent(id -> envelope.putObject("recipient").put("approverId", id));
    try {
      ObjectNode body = ArtifactSubmit.body(sealed);
      label.ifPresent(text -> body.withObject("/metadata").put("requestLabel", text));
      trusted.ifPresent(
          device ->
              body.withObject("/metadata")
                  .put(
                      "routingToken",
                      TrustedKeys.routingToken(device, enforcer.id(), enforcer.relay().url())));
      envelope.set("body", body);
      return envelope;
    } catch (HarpException e) {
      throw HarpFiles.refused(file, e);
    }
  }

  private void send(String path, String requestId, ObjectNode document) {
    RelayClient client = enforcer.relay().connect();
    String state = client.submit(path, document).at("/body/state").asText();
    PrintWriter err = spec.commandLine().getErr();
    err.println("request " + requestId + ": " + state);
    err.flush();
    if (wait.isEmpty()) {
      return;
    }
    ObjectNode decision =
        client
            .decision(requestId, wait.get())
            .orElseThrow(
                () ->
                    new CommandFailed(
                        ExitCodes.FAILED,
                        "There is no decision; the request is " + client.state(requestId) + "."));
    HarpFiles.write(decision, out, spec.commandLine().getOut());
  }

  private SealedArtifact sealed() {
    ObjectNode json = HarpFiles.object(file);
    if (!json.has("enc")) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          file
              + " is not sealed: a relay takes no plaintext. 'bridle harp artifact --for' seals it.");
    }
    try {
      return SealedArtifact.of(json);
    } catch (HarpException e) {
      throw HarpFiles.refused(file, e);
    }
  }
}
