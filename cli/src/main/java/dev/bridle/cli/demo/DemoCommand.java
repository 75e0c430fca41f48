package dev.bridle.cli.demo;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Demonstrates the main use case, and that nothing is lost when the server is killed during it. */
@Command(
    name = "demo",
    description = {
      "Demonstrate tasks that survive a kill of the server, on temporary data.",
      "Submits tasks, watches them live, answers a question, kills the server meanwhile,",
      "starts it again, and checks that nothing was lost. Then the server starts an agent, which",
      "is allowed to act by a signature of a device, killed in the middle and started again, and",
      "has acted once. At the end, receipts and the signature are verified without the server."
    },
    footer = {"%nExample:", "  bridle demo --keep"})
public final class DemoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--keep",
      description = "Keep the data and the server's log, and print where they are.")
  private boolean keep;

  @Option(names = "--json", description = "Print messages, events and checks as lines of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public DemoCommand() {}

  @Override
  public Integer call() {
    Narrator narrator = new Narrator(spec.commandLine().getOut(), json);
    Path directory = create();
    boolean good = false;
    try {
      good = new Demonstration(directory, narrator).run();
      narrator.note(good ? "All checks passed." : "Some checks failed.");
      return good ? ExitCodes.DONE : ExitCodes.FAILED;
    } finally {
      if (keep || !good) {
        narrator.note("Data and server.log are kept in " + directory);
      } else {
        delete(directory);
      }
    }
  }

  private static Path create() {
    try {
      return Files.createTempDirectory("bridle-demo-");
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "No temporary directory can be created: " + e, e);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The temporary data in " + directory + " can't be deleted: " + e, e);
    }
  }
}
