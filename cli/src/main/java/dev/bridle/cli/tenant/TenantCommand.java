package dev.bridle.cli.tenant;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of commands about tenants. */
@Command(
    name = "tenant",
    description = {
      "List and delete tenants, and say how long their events are kept.",
      "Works on a data directory, whether its server runs or not."
    },
    subcommands = {ListTenantsCommand.class, RetentionCommand.class, DeleteTenantCommand.class},
    footer = {"%nExample:", "  bridle tenant retention default --max-age 720h"})
public final class TenantCommand implements Runnable {

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public TenantCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }
}
