package dev.bridle.cli.storage;

import dev.bridle.admin.v1.CheckStorageRequest;
import dev.bridle.admin.v1.CheckSummary;
import dev.bridle.cli.console.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks all stored data. */
@Command(
    name = "check",
    description = {
      "Check all stored data and report each inconsistency.",
      "Prints progress to stderr, and findings and a summary to stdout."
    },
    footer = {"%nExample:", "  bridle storage check --repair --json"})
final class CheckCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private StorageChoice storage;

  @Option(
      names = "--repair",
      description = "Repair data that can be derived from the log or from a record.")
  private boolean repair;

  @Override
  public Integer call() {
    CheckOutput output =
        new CheckOutput(spec.commandLine().getOut(), spec.commandLine().getErr(), storage.json());
    CheckSummary summary =
        storage
            .access()
            .with(
                service -> {
                  service
                      .checkStorage(CheckStorageRequest.newBuilder().setRepair(repair).build())
                      .forEachRemaining(output::print);
                  return output.summary();
                },
                reports -> {
                  reports.check(repair, output::print);
                  return output.summary();
                });
    return summary.getFound() > summary.getRepaired()
        ? ExitCodes.STORAGE_NOT_SOUND
        : ExitCodes.DONE;
  }
}
