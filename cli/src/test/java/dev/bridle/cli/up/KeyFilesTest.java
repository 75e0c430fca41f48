package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.cli.console.CommandFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFilesTest {
  @TempDir private Path folder;
  private final List<String> notices = new ArrayList<>();
  private Path hidden;

  @BeforeEach
  void make() throws IOException {
    hidden = Files.createDirectory(folder.toRealPath().resolve("data"));
  }

  private void check(Path file, boolean isHidden) throws IOException {
    KeyFiles.of(KeyFiles.of("--api-key-file", Optional.of(file)), List.of())
        .check(hidden, isHidden, notices::add);
  }

  @Test
  void aFileBelowTheHiddenFolderIsFineAlsoBeforeItIsWritten() throws IOException {
    Path there = Files.writeString(hidden.resolve("there.key"), "key");

    assertThatCode(() -> check(there, true)).doesNotThrowAnyException();
    assertThatCode(() -> check(hidden.resolve("api.key"), true)).doesNotThrowAnyException();
    assertThat(notices).isEmpty();
  }

  @Test
  void anyOtherIsNamedWithItsOption() {
    assertThatThrownBy(() -> check(folder.resolve("api.key"), true))
        .isInstanceOf(CommandFailed.class)
        .hasMessageContaining("--api-key-file " + folder.resolve("api.key"))
        .hasMessageContaining("Move it below " + hidden);
  }

  @Test
  void aLinkIsWhatItLeadsTo() throws IOException {
    Path outside = Files.writeString(folder.resolve("outside.key"), "key");
    Path inside = Files.writeString(hidden.resolve("inside.key"), "key");
    Path out = Files.createSymbolicLink(hidden.resolve("link"), outside);
    Path in = Files.createSymbolicLink(folder.resolve("link"), inside);

    assertThatThrownBy(() -> check(out, true)).hasMessageContaining("lies where hosted agents");
    assertThatCode(() -> check(in, true)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check(hidden.resolve("../api.key"), true))
        .isInstanceOf(CommandFailed.class);
  }

  @Test
  void whereNothingIsHiddenTheOperatorIsTold() throws IOException {
    check(folder.resolve("api.key"), false);

    assertThat(notices)
        .singleElement()
        .asString()
        .startsWith("warning: --api-key-file ")
        .contains("an agent could approve its own actions");
  }
}
