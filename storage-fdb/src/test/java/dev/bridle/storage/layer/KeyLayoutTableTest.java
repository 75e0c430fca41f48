package dev.bridle.storage.layer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The key layout in the module's README names the spaces that there are, and no others. */
class KeyLayoutTableTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\| `(\\w+)` \\|");

  @Test
  void theReadmeListsEverySpaceWithItsNumber() throws IOException {
    assertThat(rowsBetween("| `0, …` |", "| `1, tenant, …` |"))
        .containsExactlyElementsOf(
            Arrays.stream(SystemSpace.values())
                .map(space -> space.number() + " " + space.spelling())
                .toList());
    assertThat(rowsBetween("| `1, tenant, …` |", "\n## "))
        .containsExactlyElementsOf(
            Arrays.stream(TenantSpace.values())
                .map(space -> space.number() + " " + space.spelling())
                .toList());
  }

  private static List<String> rowsBetween(String from, String to) throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    int begin = readme.indexOf(from);
    String table = readme.substring(begin, readme.indexOf(to, begin));
    return ROW.matcher(table).results().map(KeyLayoutTableTest::numberAndName).toList();
  }

  private static String numberAndName(MatchResult row) {
    return row.group(1) + " " + row.group(2);
  }
}
