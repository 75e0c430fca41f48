package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files an agent's edit is said to write. */
class EditedFilesTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path directory;
  private Path folder;

  @BeforeEach
  void make() throws IOException {
    folder = Files.createDirectories(directory.toRealPath().resolve("project"));
    Files.createDirectories(folder.resolve("src"));
    Files.writeString(folder.resolve("src/a"), "a");
  }

  private List<String> of(String call) throws IOException {
    Map<String, RawJson> members = new LinkedHashMap<>();
    MAPPER
        .readTree(call.replace("FOLDER", folder.toString()))
        .properties()
        .forEach(member -> members.put(member.getKey(), RawJson.of(member.getValue())));
    ToolCall asked = new ToolCall("call-1", members);
    return EditedFiles.of(
        new Question.Permission(asked, Optional.empty(), List.of(), RawJson.absent(), true),
        folder);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private List<String> ofInput(String input) throws IOException {
    return of("{\"kind\":\"edit\",\"rawInput\":" + input + "}");
  }

  @Test
  void whatAnAgentNamesInInputDifferencesPlacesAndPatchesIsOneListOfRealPaths() throws IOException {
    assertThat(
            of(
                """
                {"kind":"edit",
                 "rawInput":{"file_path":"src/a","old_string":"x","new_string":"y"},
                 "content":[{"type":"diff","path":"FOLDER/src/a","newText":"y"}],
                 "locations":[{"path":"FOLDER/src/b","line":1}]}
                """))
        .containsExactlyInAnyOrder(path("src/a"), path("src/b"));
    assertThat(ofInput("{\"edits\":[{\"filePath\":\"new/x\"}],\"files\":[\"src/a\"]}"))
        .containsExactlyInAnyOrder(path("new/x"), path("src/a"));
    assertThat(ofInput("{\"changes\":{\"FOLDER/src/a\":{\"type\":\"update\"}}}"))
        .containsExactly(path("src/a"));
    assertThat(
            ofInput(
                "{\"patchText\":\"*** Begin Patch\\n*** Update File: src/a\\n+y\\n"
                    + "*** Add File: c\\n\"}"))
        .containsExactlyInAnyOrder(path("src/a"), path("c"));
  }

  @Test
  void linksAreResolvedAndAFileWithSeveralNamesIsNotSure() throws IOException {
    Path outside = Files.createDirectories(directory.toRealPath().resolve("outside"));
    Files.createSymbolicLink(folder.resolve("out"), outside);
    Files.createSymbolicLink(folder.resolve("nowhere"), folder.resolve("missing"));
    Files.createLink(folder.resolve("again"), folder.resolve("src/a"));

    assertThat(ofInput("{\"path\":\"out/new\"}"))
        .containsExactly(outside.resolve("new").toString());
    assertThat(ofInput("{\"path\":\"nowhere\"}")).isEmpty();
    assertThat(ofInput("{\"path\":\"nowhere/x\"}")).isEmpty();
    assertThat(ofInput("{\"path\":\"again\"}")).isEmpty();
    assertThat(ofInput("{\"path\":\"src\"}")).as("a folder").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"path\":\"src/../src/b\"}",
        "{\"path\":\"src/b\",\"cwd\":\"/tmp\"}",
        "{\"path\":\"~/b\"}",
        "{\"path\":\"file:///b\"}",
        "{\"path\":\"\"}",
        "{\"path\":7}",
        "{\"path\":\"a\\u0000b\"}",
        "{\"path\":\"src/b\",\"type\":\"delete\"}",
        "{\"files\":[{\"filePath\":\"src/b\",\"type\":\"move\"}]}",
        "{\"path\":\"src/b\",\"patch\":\"*** Delete File: src/a\"}",
        "{\"path\":\"src/b\",\"patch\":\"x\\n*** Move to: src/c\"}",
        "{\"path\":\"src/b\",\"patch\":\"diff --git a/src/b b/src/c\"}",
      })
  void whatIsDoubtfulNamesNoFile(String input) throws IOException {
    assertThat(ofInput(input)).isEmpty();
  }

  @Test
  void onlyAnEditThatLeavesSomethingIsOne() throws IOException {
    String input = ",\"rawInput\":{\"path\":\"src/b\"}";
    assertThat(of("{\"kind\":\"edit\"" + input + "}")).isNotEmpty();
    assertThat(of("{\"kind\":\"delete\"" + input + "}")).isEmpty();
    assertThat(of("{\"kind\":\"execute\"" + input + "}")).isEmpty();
    assertThat(
            of(
                "{\"kind\":\"edit\""
                    + input
                    + ",\"content\":[{\"type\":\"diff\",\"path\":\"src/b\",\"newText\":\"\"}]}"))
        .isEmpty();
  }
}
