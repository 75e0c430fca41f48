package dev.bridle.cli.tenant;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about tenants. */
@Command(
    name = "tenant",
    description = {
      "List and delete tenants, and set how long their events are kept.",
      "Works on a data directory, with or without a running server."
    },
    subcommands = {ListTenantsCommand.class, RetentionCommand.class, DeleteTenantCommand.class},
    footer = {"%nExample:", "  bridle tenant retention default --max-age 720h"})
public final class TenantCommand extends CommandGroup {

  /** Creates the command; called by picocli. */
  public TenantCommand() {}
}
