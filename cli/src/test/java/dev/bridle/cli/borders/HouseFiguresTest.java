package dev.bridle.cli.borders;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Prints how large the parts of the code are, and keeps them from growing beyond bounds. */
@AnalyzeClasses(packages = "dev.bridle", importOptions = ImportOption.DoNotIncludeTests.class)
final class HouseFiguresTest {
  private static final int MAX_PARAMETERS = 7;
  private static final int MAX_LINES = 510;
  private static final List<String> MODULES =
      List.of(
          "storage-fdb",
          "resource-json",
          "core-server",
          "http-gateway",
          "worker-sdk",
          "fixtures",
          "cli");

  /** Generated code, and classes whose parameters are members that Java adds, are not counted. */
  @ArchTest
  static void noClassTakesMoreThanSevenParameters(JavaClasses all) {
    List<String> large =
        all.stream()
            .filter(each -> !each.getPackageName().matches("dev\\.bridle(\\.\\w+)*\\.v1"))
            .filter(each -> !each.isRecord() && !each.isEnum() && !each.isAnonymousClass())
            .flatMap(each -> each.getConstructors().stream())
            .filter(each -> each.getRawParameterTypes().size() > MAX_PARAMETERS)
            .map(HouseFiguresTest::described)
            .sorted()
            .toList();
    System.out.println("Constructors of more than 7 parameters: " + large.size());

    assertThat(large).isEmpty();
  }

  private static String described(JavaConstructor each) {
    JavaClass owner = each.getOwner();
    return owner.getFullName() + " (" + each.getRawParameterTypes().size() + ")";
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
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
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
