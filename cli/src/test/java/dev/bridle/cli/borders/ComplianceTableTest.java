package dev.bridle.cli.borders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of HARP's rules names tests that exist. */
final class ComplianceTableTest {
  private static final Path README = Path.of("..", "harp-gateway", "README.md");
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT)|Harp\\w+)\\.(\\w+)`");
  private static final List<String> MODULES = List.of("harp", "core-server", "harp-gateway", "cli");
  private static final Path STORIES =
      Path.of("..", "fixtures", "src", "main", "java", "dev", "bridle", "fixtures", "harp");
  private static final int LEAST = 50;

  @Test
  void eachTestOfTheTableExists() throws IOException {
    List<Named> named =
        TEST.matcher(Files.readString(README))
            .results()
            .map(found -> new Named(found.group(1), found.group(2)))
            .distinct()
            .toList();

    assertThat(named).hasSizeGreaterThan(LEAST);
    for (Named each : named) {
      assertThat(sources(each.type())).as(each.toString()).anyMatch(each::isIn);
    }
  }

  private record Named(String type, String method) {
    boolean isIn(String source) {
      return Pattern.compile("(void|>) " + method + "\\(").matcher(source).find();
    }
  }

  private static List<String> sources(String type) throws IOException {
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "test", "java"))) {
        List<Path> found = files.filter(file -> file.endsWith(type + ".java")).toList();
        if (!found.isEmpty()) {
          return List.of(Files.readString(found.get(0)));
        }
      }
    }
    Path story = STORIES.resolve(type + ".java");
    return Files.exists(story) ? List.of(Files.readString(story)) : List.of();
  }
}
