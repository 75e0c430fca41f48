package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.harp.rule.DecisionRule;
import dev.bridle.proof.key.VerificationKey;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Verifies a decision, as the gate before an action. */
@Command(
    name = "enforce",
    description = {
      "Verify a decision about an artifact that you have made, before its action is done.",
      "The artifact is hashed again, and the decision has to be signed by a trusted device, not"
          + " expired, and of a scope that holds. Each decision is accepted once: it is remembered"
          + " in a file before this command ends with 0.",
      "",
      "Exit codes: 0 allowed, 2 denied (or the command line is invalid), 1 the decision is not"
          + " valid. Do nothing but on 0."
    },
    footer = {
      "%nExample:",
      "  bridle harp enforce --trusted phone.json --artifact a.json --decision d.json && make deploy"
    })
final class EnforceCommand implements Callable<Integer> {
  private static final int ALLOWED = 0;
  private static final int INVALID = 1;
  private static final int DENIED = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = "--trusted",
      paramLabel = "FILE",
      required = true,
      description = "A device's public keys, as 'bridle harp keys show --json' prints. Repeatable.")
  private List<Path> trusted = List.of();

  @Option(
      names = "--artifact",
      paramLabel = "FILE",
      required = true,
      description = "Your own artifact, with its payload.")
  private Path artifactFile = Path.of("");

  @Option(names = "--decision", paramLabel = "FILE", required = true, description = "The decision.")
  private Path decisionFile = Path.of("");

  @Option(
      names = "--once",
      paramLabel = "FILE",
      description = {
        "The file that remembers which decisions were accepted, until they expire. Its folder has"
            + " to exist. Use one file for all calls that trust the same devices.",
        "Default: XDG_STATE_HOME/bridle/enforced.jsonl, else"
            + " ~/.local/state/bridle/enforced.jsonl."
      })
  private Optional<Path> once = Optional.empty();

  @Option(names = "--json", description = "Print a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  EnforceCommand() {}

  @Override
  public Integer call() {
    Artifact artifact = HarpFiles.artifact(artifactFile, Optional.empty());
    TrustedKeys keys = new TrustedKeys(trusted);
    try {
      Decision decision = decision(artifact, keys);
      new UsedDecisions(once, System.getenv())
          .accept(
              decision,
              new DecisionRule(keys::of, DecisionRule.SKEW),
              new DecisionRule.Asked(
                  Decision.Subject.of(artifact), artifact.expiresAt(), artifact.sessionId()));
      print(
          JsonLines.object()
              .put("valid", true)
              .put("decision", decision.answer().spelled())
              .put("signerKeyId", decision.signerKeyId()),
          decision.answer().spelled() + ", signed by " + decision.signerKeyId());
      return decision.answer() == Answer.ALLOW ? ALLOWED : DENIED;
    } catch (HarpException e) {
      print(
          JsonLines.object().put("valid", false).put("code", e.code().spelled()),
          "not valid: " + e.code().spelled() + ": " + e.getMessage());
      return INVALID;
    }
  }

  /** Reads the decision, or the envelope in which a relay has delivered it. */
  private Decision decision(Artifact artifact, TrustedKeys keys) throws HarpException {
    ObjectNode json = HarpFiles.object(decisionFile);
    if (!json.has("msgType")) {
      return Decision.of(json);
    }
    DecisionSubmit delivered = DecisionSubmit.of(GatewayEnvelope.of(json));
    VerificationKey key =
        keys.of(delivered.signerKeyId())
            .orElseThrow(
                () ->
                    new HarpException(
                        HarpErrorCode.SIGNATURE_INVALID,
                        "unknown_key",
                        "The key " + delivered.signerKeyId() + " is not trusted."));
    Decision decision =
        delivered.verified(artifact.repoRef(), artifact.json().get("expiresAt").textValue(), key);
    GivenReason.check(decision, delivered.reason());
    return decision;
  }

  private void print(ObjectNode line, String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? line.toString() : text);
    out.flush();
  }
}
