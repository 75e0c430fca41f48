package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the documentation is that of the data; the failure has the text to put there. */
class ProtectedPathDocumentationTest {
  private static final Path DOCUMENTATION = Path.of("..", "docs", "approvals.md");

  @Test
  void theDocumentationListsAllNames() throws IOException {
    String table =
        "| kind | files, and folders with all that is in them |\n|---|---|\n"
            + ProtectedPaths.KINDS.stream()
                .map(ProtectedPathDocumentationTest::row)
                .collect(Collectors.joining());

    assertThat(Files.readString(DOCUMENTATION)).contains("\n\n" + table + "\n");
  }

  private static String row(ProtectedPathKind kind) {
    String names =
        Stream.concat(kind.names().stream(), kind.words().stream())
            .map(name -> "`" + name + "`")
            .collect(Collectors.joining(", "));
    return "| " + kind.kind() + " | " + names + " |\n";
  }

  @Test
  void noNameStandsTwice() {
    List<String> names =
        ProtectedPaths.KINDS.stream()
            .flatMap(kind -> Stream.concat(kind.names().stream(), kind.words().stream()))
            .map(ProtectedPaths::folded)
            .toList();

    assertThat(names).hasSizeGreaterThan(500).doesNotHaveDuplicates();
  }
}
