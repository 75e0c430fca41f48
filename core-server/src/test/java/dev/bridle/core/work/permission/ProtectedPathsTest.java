package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.permission.v1.PermissionAction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtectedPathsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".git/hooks/pre-commit",
        "/home/ada/project/.git/config",
        "src/../.github/workflows/build.yml",
        "C:\\\\work\\\\.VSCode\\\\tasks.json",
        "opencode.json",
        "deep/OpenCode.JSONC",
        "/home/ada/.bashrc",
        "/home/ada/.config/fish/config.fish",
        ".qwen/settings.json",
        "Jenkinsfile",
        ".drone.yml",
        ".woodpecker.yml",
        ".woodpecker/test.yml",
        ".woodpecker",
        ".buildkite/pipeline.yml",
        "lefthook.yml",
        ".Lefthook.yml",
        ".mvn/extensions.xml",
        ".yarnrc.yml",
        ".yarn/releases/yarn.cjs",
        ".git./config",
        ".git /config",
        ".g\u200cit/config",
        ".\uFF47it/config",
        "/home/ada/.\u017F\u017Fh/config",
      })
  void settingsHooksPipelinesAndProfilesAreProtected(String path) {
    assertThat(ProtectedPaths.touchedBy(action("{\"path\":\"" + path + "\"}"))).isTrue();
    assertThat(ProtectedPaths.touchedBy(action("{\"any\":[{\"member\":\"" + path + "\"}]}")))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"path\":\"src/main/App.java\"}",
        "{\"path\":\"github/readme.md\"}",
        "{\"path\":\"docs/jenkinsfile.md\"}",
        "{\"path\":\"mvn/yarn/drone.yml\"}",
        "{\"command\":\"ls -la\",\"cwd\":\"/home/ada/project\"}",
        "{\"path\":\"notes.md\",\"new\":\"see\\n~/.ssh/config\\nfor more\"}",
        "{\"count\":3,\"flag\":true,\"none\":null}",
      })
  void otherFilesAndTextsAreNot(String content) {
    assertThat(ProtectedPaths.touchedBy(action(content))).isFalse();
  }

  @Test
  void whatAWorkerSaysIsEditedCountsAsWell() {
    PermissionAction.Builder edit = action("{}").toBuilder().setKind("edit");

    assertThat(ProtectedPaths.touchedBy(edit.addEditedFiles("/p/src/A.java").build())).isFalse();
    assertThat(ProtectedPaths.touchedBy(edit.addEditedFiles("/p/.Git/config").build())).isTrue();
  }

  private static PermissionAction action(String content) {
    return PermissionAction.newBuilder()
        .setKind("read")
        .setContent(ByteString.copyFromUtf8(content))
        .build();
  }
}
