package dev.bridle.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where short commands have their classes from: what costs them their time. */
@Tag("slow")
final class ClassArchiveIT {
  private static final String ARCHIVED = "source: shared objects file";

  @TempDir private Path directory;

  @Test
  void theVersionLoadsNothingBesideTheArchiveAndNoParser() throws Exception {
    List<String> loaded = loaded("version");

    assertThat(loaded)
        .anyMatch(line -> line.contains("dev.bridle.cli.Main ") && line.contains(ARCHIVED))
        .noneMatch(line -> line.contains(" picocli."))
        .filteredOn(line -> line.contains("source: file:"))
        .isEmpty();
  }

  @Test
  void aCommandLoadsNoOtherCommand() throws Exception {
    assertThat(loaded("task", "list", "--help"))
        .anyMatch(line -> line.contains("dev.bridle.cli.task.ListCommand "))
        .noneMatch(line -> line.contains("dev.bridle.cli.up.UpCommand "))
        .noneMatch(line -> line.contains("dev.bridle.cli.resource."))
        .filteredOn(line -> line.contains(" dev.bridle.") && line.contains("source: file:"))
        .as("those alone that implement a type of the parser, which is too old to be archived")
        .hasSizeLessThan(6);
  }

  @Test
  void theListOfAllCommandsReadsNoDescriptors() throws Exception {
    assertThat(loaded("--help"))
        .anyMatch(line -> line.contains("dev.bridle.cli.resource.ResourceCommands "))
        .noneMatch(line -> line.contains(" com.google.protobuf.Descriptors"));
  }

  @Test
  void aCommandOfAResourceLoadsNothingOfTheCore() throws Exception {
    assertThat(loaded("persona", "create", "--help"))
        .anyMatch(line -> line.contains("dev.bridle.persona.v1.PersonaServiceOuterClass "))
        .noneMatch(line -> line.contains(" dev.bridle.core."))
        .noneMatch(line -> line.contains(" dev.bridle.memory."));
  }

  /** Runs a command that must map the archive, and returns what Java says of its classes. */
  private List<String> loaded(String... words) throws IOException, InterruptedException {
    Path log = directory.resolve("classes.log");
    List<String> command = new ArrayList<>(BuiltBridle.archived().bridle(List.of(words)));
    command.remove("-Xshare:auto");
    command.addAll(1, List.of("-Xshare:on", "-Xlog:class+load:file=" + log));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("said").toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(directory.resolve("said"))).isZero();
    return Files.readAllLines(log);
  }
}
