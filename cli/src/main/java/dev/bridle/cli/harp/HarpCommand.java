package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about HARP. */
@Command(
    name = "harp",
    description = {
      "Make, show, decide and verify HARP artifacts, in files or over a relay.",
      "An enforcer makes an artifact of what is to be decided, an approver shows it and signs a"
          + " decision, and the enforcer verifies that. The files may travel in any way; a relay"
          + " ('bridle up --harp-port' or 'bridle harp-gateway') carries them without reading them."
    },
    subcommands = {
      KeysCommand.class,
      ArtifactCommand.class,
      ShowCommand.class,
      ApproveCommand.class,
      RejectCommand.class,
      DecideCommand.class,
      EnforceCommand.class,
      SubmitCommand.class,
      InboxCommand.class,
      WatchCommand.class,
      PairCommand.class,
      EnrolCommand.class,
      DevicesCommand.class,
      PartiesCommand.class,
      AuditCommand.class
    },
    footer = {
      "%nExamples:",
      "  bridle harp keys create phone.keys",
      "  bridle harp keys show phone.keys --json > phone.json",
      "  bridle harp artifact --type command.review --payload action.json --out a.json",
      "  bridle harp approve --keys phone.keys --artifact a.json --out d.json",
      "  bridle harp pair offer --enforcer ci --identity ci.identity --out phone.json",
      "  bridle harp enrol phone.json --principal ada",
      "  bridle harp enforce --trusted phone.json --artifact a.json --decision d.json"
    })
public final class HarpCommand extends CommandGroup {
  /** Creates the command; called by picocli. */
  public HarpCommand() {}
}
