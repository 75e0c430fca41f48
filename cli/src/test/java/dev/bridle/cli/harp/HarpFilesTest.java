package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.cli.console.CommandFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HarpFilesTest {
  @TempDir private Path directory;

  private Path file(String content) throws IOException {
    return Files.writeString(directory.resolve("device.json"), content);
  }

  @Test
  void anEmptyFileIsCalledEmpty() throws IOException {
    Path empty = file("");

    assertThatThrownBy(() -> HarpFiles.object(empty))
        .isInstanceOf(CommandFailed.class)
        .hasMessage("The file " + empty + " is empty; expected a JSON object.");
  }

  @Test
  void whatIsNoObjectIsSaidWithoutTheWordsOfARelay() throws IOException {
    for (String content : new String[] {" ", "[]", "{", "nothing", "{\"a\":1,\"a\":2}"}) {
      Path other = file(content);

      assertThatThrownBy(() -> HarpFiles.object(other))
          .as("'%s'", content)
          .isInstanceOf(CommandFailed.class)
          .hasMessageStartingWith("The file " + other + " is no JSON object: ")
          .hasMessageNotContaining("TRANSPORT");
    }
  }
}
