package dev.bridle.cli.phone;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about phones that answer agents' questions. */
@Command(
    name = "phone",
    description = {
      "Pair a phone, so that a person answers agents' questions on it; list, test, rename and"
          + " remove phones.",
      "The phone opens a page of this server in its browser, and needs no app. It makes keys that"
          + " never leave it, and signs each answer with them."
    },
    subcommands = {
      SetupCommand.class,
      AddCommand.class,
      ListCommand.class,
      TestCommand.class,
      RenameCommand.class,
      RemoveCommand.class
    },
    footer = {
      "%nExamples:",
      "  bridle phone add --name 'my phone'",
      "  bridle phone list",
      "  bridle phone test 'my phone'",
      "  bridle phone remove 'my phone'"
    })
public final class PhoneCommand extends CommandGroup {
  /** Creates the command; called by picocli. */
  public PhoneCommand() {}
}
