package dev.bridle.cli.harp;

import dev.bridle.harp.core.Answer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Signs a decision. */
@Command(
    name = "reject",
    description = {
      "Sign that an action may not be done.",
      "What is decided is opened, checked against its hash and shown first."
    },
    footer = {
      "%nExamples:",
      "  bridle harp reject --keys phone.keys --artifact a.json --out d.json",
      "  bridle harp reject --keys phone.keys --approver phone --request ID"
    })
final class RejectCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private Deciding deciding;

  /** Creates the command; called by picocli. */
  RejectCommand() {}

  @Override
  public void run() {
    deciding.decide(spec, Answer.DENY);
  }
}
