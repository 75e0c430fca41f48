package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.Confirmation;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.console.StyledLine;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.core.RequestedActions;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.DecisionSubmit;
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

  @Mixin private AskedArtifact asked;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "A new file for the decision (default: printed, or sent to the relay).")
  private Optional<Path> out = Optional.empty();

  @Option(
      names = "--valid-for",
      paramLabel = "TIME",
      defaultValue = "5m",
      description = "How long the decision counts, at most as long as the artifact (default: 5m).")
  private Duration validFor = Duration.ofMinutes(5);

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description =
          "The reason for the enforcer; only for a relay. It is signed where the artifact says that"
              + " such reasons are taken, as those of Bridle servers do.")
  private Optional<String> reason = Optional.empty();

  @Option(
      names = "--envelope",
      paramLabel = "FILE",
      description =
          "Send nothing: write what would be sent to a relay to this new file, for other clients.")
  private Optional<Path> envelope = Optional.empty();

  @Mixin private DecisionReach reach;

  @Option(
      names = "--action",
      paramLabel = "ID",
      description =
          "The button that is pressed, of those that the artifact asks for; only for a relay. It is"
              + " signed where it stands for an option of the agent.")
  private Optional<String> action = Optional.empty();

  @Option(
      names = "--option",
      paramLabel = "ID",
      description =
          "The agent's option that is chosen, of those that the artifact shows; signed. Needed where"
              + " the agent offers several ways to allow.")
  private Optional<String> option = Optional.empty();

  @Option(
      names = "--issuer-keys",
      paramLabel = "FILE",
      description =
          "Public keys of the server that asks (its /.well-known/receipt-keys.json), kept on the"
              + " device: only what it has signed is decided.")
  private Optional<Path> issuerKeys = Optional.empty();

  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  /** Shows the artifact, and signs the decision once a person has confirmed it. */
  void decide(CommandSpec spec, Answer answer) {
    boolean relayed = asked.isAtRelay() || envelope.isPresent();
    if ((reason.isPresent() || action.isPresent()) && !relayed) {
      throw new CommandFailed(
          ExitCodes.USAGE, "--reason and --action need --request or --envelope: files have none.");
    }
    reach.check(answer);
    if (relayed) {
      // Wrong usage is to be known before a person has confirmed something.
      var unused = asked.approver();
    }
    Instant now = Instant.now();
    DeviceKeys device = keys.open();
    Artifact artifact = asked.open(Optional.of(keys));
    if (!now.isBefore(artifact.expiresAt())) {
      throw new CommandFailed(
          ExitCodes.FAILED, "It could be decided until " + artifact.expiresAt() + ".");
    }
    PrintWriter shown = spec.commandLine().getErr();
    issuerKeys.ifPresent(file -> shown.println(Issuer.line(artifact, file)));
    StyledLine.print(shown, ShownArtifact.lines(artifact));
    needAction(artifact, answer);
    Optional<String> chosen = option.or(() -> ChosenOption.of(artifact, action));
    ChosenOption.need(artifact, chosen, answer);
    Optional<GivenReason> given = reason.map(text -> reason(artifact, text));
    confirm(spec, answer);
    Instant until = now.plus(validFor);
    Decision.Content once =
        Decision.Content.once(
            Decision.Subject.of(artifact),
            answer,
            until.isBefore(artifact.expiresAt()) ? until : artifact.expiresAt(),
            nonce());
    Decision.Content optioned = chosen.map(once::withOption).orElse(once);
    Decision.Content said = given.map(optioned::withReason).orElse(optioned);
    Decision.Content content = reach.of(said, artifact);
    try {
      Decision decision = Decision.sign(content, device.signerKeyId(), device.signing());
      if (envelope.isPresent()) {
        HarpFiles.write(submission(decision, given), envelope, spec.commandLine().getOut());
      } else if (asked.isAtRelay()) {
        var unused = asked.connect().submit("/v1/decisions", submission(decision, given));
      }
      if (out.isPresent() || !relayed) {
        HarpFiles.write(decision.json(), out, spec.commandLine().getOut());
      }
    } catch (HarpException e) {
      throw HarpFiles.refused(asked.named(), e);
    }
  }

  private ObjectNode submission(Decision decision, Optional<GivenReason> given)
      throws HarpException {
    ObjectNode submission =
        RelayClient.envelope(
            "decision.submit", decision.subject().requestId(), "approverId", asked.approver());
    submission.put("expiresAt", decision.json().get("expiresAt").textValue());
    DecisionSubmit.trace(decision, action, given)
        .ifPresent(trace -> submission.set("trace", trace));
    submission.set("body", DecisionSubmit.body(decision, given));
    return submission;
  }

  /** Returns the reason, to be signed where its enforcer takes signed ones. */
  private static GivenReason reason(Artifact artifact, String text) {
    boolean isTaken = false;
    for (JsonNode accepted : artifact.payload().path("accepts")) {
      isTaken |= accepted.asText().equals("reason");
    }
    if (!isTaken) {
      return GivenReason.unsigned(text);
    }
    if (text.isEmpty() || text.length() > GivenReason.MAX_CHARS) {
      throw new CommandFailed(
          ExitCodes.USAGE, "A reason has 1 to " + GivenReason.MAX_CHARS + " characters.");
    }
    return GivenReason.salted(text, GivenReason.Salt.random(new SecureRandom()));
  }

  private void needAction(Artifact artifact, Answer answer) {
    if (action.isPresent() && RequestedActions.find(artifact, action.get(), answer).isEmpty()) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "The artifact asks for no button '"
              + ShownText.line(action.get())
              + "' that means to "
              + answer.alias()
              + ".");
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
    String ask = "Type '" + answer.alias() + "' to sign that" + reach.shown() + ": ";
    if (!Confirmation.typed(spec, spec.commandLine().getErr(), ask, answer.alias())) {
      throw new CommandFailed(ExitCodes.FAILED, "Nothing was signed.");
    }
  }
}
