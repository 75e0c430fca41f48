package dev.bridle.cli.borders;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.record.Catalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Prints how large the parts of the code are, and keeps them from growing beyond bounds. */
final class HouseFiguresTest {
  private static final int MAX_LINES = 400;
  private static final int MAX_STATIONS = 9;
  private static final int MAX_FILES_OF_A_RESOURCE = 8;
  private static final Path CORE = Path.of("..", "core-server");
  private static final Pattern STATION = Pattern.compile("\\d+\\. `\\w+` .*");
  private static final List<String> MODULES =
      List.of(
          "proof",
          "storage-fdb",
          "resource-json",
          "connection-limits",
          "core-server",
          "gateway-kit",
          "http-gateway",
          "harp-gateway",
          "worker-sdk",
          "agent-host",
          "fixtures",
          "cli");

  private record ExampleDependencies(CoreContext context, Catalog catalog, Clock clock) {}

  private record ExampleData(Catalog catalog, String name) {}

  @Test
  void aNestedRecordOfServicesIsRecognized() {
    JavaClasses examples =
        new ClassFileImporter().importClasses(ExampleDependencies.class, ExampleData.class);

    assertThat(Dependencies.onlyCarriesDependencies(examples.get(ExampleDependencies.class)))
        .isTrue();
    assertThat(Dependencies.onlyCarriesDependencies(examples.get(ExampleData.class))).isFalse();
  }

  /** The resource of the core's tests: its contract, its definition and what tests it. */
  @Test
  void aNewResourceTakesFewFiles() {
    List<Path> files =
        files(CORE.resolve("src").resolve("test")).stream()
            .filter(file -> file.toString().matches(".*\\.(java|proto)"))
            .filter(file -> text(file).contains("bridle.note.v1"))
            .toList();
    System.out.println("Files of a new resource, with its tests: " + files.size());

    assertThat(files).hasSizeBetween(2, MAX_FILES_OF_A_RESOURCE);
  }

  /** The list that the tests of the path compare with call stacks. */
  @Test
  void aSubmissionPassesFewStations() {
    String path = text(CORE.resolve("README.md")).split("### The path of a submission", 2)[1];
    long stations =
        path.split("\n#", 2)[0].lines().filter(line -> STATION.matcher(line).matches()).count();
    System.out.println("Stations of a submission: " + stations);

    assertThat(stations).isBetween(1L, (long) MAX_STATIONS);
  }

  @Test
  void noFileIsLongerThanItsBound() {
    Map<String, Long> lines = new TreeMap<>();
    Map<Path, Long> files = new TreeMap<>();
    for (String module : MODULES) {
      Path sources = Path.of("..", module, "src", "main", "java");
      for (Path file : javaFiles(sources)) {
        long count = lines(file);
        lines.merge(module, count, Long::sum);
        files.put(sources.relativize(file), count);
      }
    }
    System.out.println("Lines of each module: " + lines);
    files.entrySet().stream()
        .sorted(Map.Entry.<Path, Long>comparingByValue(Comparator.reverseOrder()))
        .limit(5)
        .forEach(file -> System.out.println(file.getValue() + " lines: " + file.getKey()));

    assertThat(files).hasSizeGreaterThan(500);
    assertThat(files.entrySet())
        .allSatisfy(file -> assertThat(file.getValue()).isLessThan(MAX_LINES));
  }

  private static List<Path> javaFiles(Path folder) {
    return files(folder).stream().filter(file -> file.toString().endsWith(".java")).toList();
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
