package dev.bridle.cli.tenant;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about tenants. */
@Command(
    name = "tenant",
    description = {
      "List and delete tenants, and say how long their events are kept.",
      "Works on a data directory, whether its server runs or not."
    },
    subcommands = {ListTenantsCommand.class, RetentionCommand.class, DeleteTenantCommand.class},
    footer = {"%nExample:", "  bridle tenant retention default --max-age 720h"})
public final class TenantCommand extends CommandGroup {

  /** Made by picocli. */
  public TenantCommand() {}
}
