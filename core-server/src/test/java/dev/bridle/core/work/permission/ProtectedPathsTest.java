package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.permission.v1.PermissionAction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtectedPathsTest {

  @Test
  @Timeout(20)
  void aNameOfAnyLengthIsReadOnce() {
    assertThat(ProtectedPaths.touchedBy(action("{\"path\":\"" + ".".repeat(262_000) + "X\"}")))
        .isFalse();
  }

  @Test
  void aPathThatIsLongerThanAFileSystemTakesIsAName() {
    String path = "./".repeat(2050) + ".git/hooks/pre-commit";

    assertThat(ProtectedPaths.touchedBy(action("{\"path\":\"" + path + "\"}"))).isTrue();
  }

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
        "PACKAGE.JSON",
        "make\u200cfile",
        ".config/git",
        ".CONFIG\\\\Git\\\\config",
        ".config/./git/config",
        ".config//git/config",
        ".config/x/../git/config",
        ".config/git/../git",
        ".config/git/../../src/A.java",
        "node_modules/.bin/../.bin/eslint",
        "Library/LaunchAgents/x.plist/",
        "requirements-dev.txt. ",
        "/srv/BUILD",
        "a\\n/../.git/hooks/pre-commit",
        ".git/hooks/pre-commit\\n",
        "\\n Makefile \\n",
        ".git/hooks/pre-commit\\nand more",
        "file:///w/%2egit/hooks/x",
        "file:///w/%2Egit%2Fhooks%2Fx",
        "a%0a/../.git/hooks/x",
        "/w/GIT~1/hooks/x",
      })
  void namesAreComparedAsTheMostLenientOfFileSystemsDo(String path) {
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
        "{\"path\":\"docs/about-jenkinsfile.md\"}",
        "{\"path\":\"mvn/yarn/drone.yml\"}",
        "{\"path\":\"/workspace\",\"target\":\"build\"}",
        "{\"path\":\"config/git/systemd/bin/x\"}",
        "{\"path\":\".config/cargo/config.md\"}",
        "{\"path\":\"package.json.md\",\"other\":\"my-package.json\"}",
        "{\"package.jsonx\":1,\"makefile\":true}",
        "{\"command\":\"ls -la\",\"cwd\":\"/home/ada/project\"}",
        "{\"path\":\"notes.md\",\"new\":\"see\\n~/.ssh/config\\nfor more\"}",
        "{\"count\":3,\"flag\":true,\"none\":null}",
      })
  void otherFilesAndTextsAreNot(String content) {
    assertThat(ProtectedPaths.touchedBy(action(content))).isFalse();
  }

  @Test
  void namesOfMembersCountIfTheyLookLikePaths() {
    assertThat(ProtectedPaths.touchedBy(action("{\"changes\":{\"/p/Makefile\":{\"add\":\"x\"}}}")))
        .isTrue();
    assertThat(ProtectedPaths.touchedBy(action("{\"changes\":[{\"package.json\":\"x\"}]}")))
        .isTrue();
    assertThat(ProtectedPaths.touchedBy(action("{\"changes\":{\"/p/A.java\":\"x\"}}"))).isFalse();
  }

  @ParameterizedTest(name = "a command {0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'command':'cat ./package.json','cwd':'/p'} | false",
        "{'command':'./.git/hooks/pre-commit','cwd':'/p'} | false",
        "{'command':['cat','package.json'],'cwd':'/p'} | false",
        "{'command':'ls','cwd':'/home/ada/configure'} | false",
        "{'command':'ls','cwd':'/p/.git'} | true",
        "{'command':'ls','cwd':'/p/.config/git/'} | true",
        "{'command':'ls','path':'package.json'} | true",
        "{'command':['cat',{'path':'package.json'}]} | true",
        "{'command':{'file':'package.json'}} | true",
        "{'arguments':{'command':'./package.json'}} | true",
        "{'command':'ls','says':{'title':'./package.json'}} | true",
      })
  void theTextOfACommandIsNotSearchedAndAllElseIs(String content, boolean isTouched) {
    String json = content.replace('\'', '"');
    PermissionAction command = action(json).toBuilder().setKind("command").build();

    assertThat(ProtectedPaths.touchedBy(command)).isEqualTo(isTouched);
  }

  @Test
  void aCommandOfAnotherKindOfActionIsSearched() {
    assertThat(ProtectedPaths.touchedBy(action("{\"command\":\"./package.json\"}"))).isTrue();
  }

  @Test
  void whatAnAgentSaysBesideTheContentIsNotSearched() {
    PermissionAction.Builder read = action("{\"path\":\"A.java\"}").toBuilder();
    ByteString said = ByteString.copyFromUtf8("{\"title\":\"package.json\"}");

    assertThat(ProtectedPaths.touchedBy(read.setSaid(said).build())).isFalse();
  }

  @Test
  void wordsOfEverydayTextsCountAsFileNamesInAnyCase() {
    PermissionAction.Builder edit = action("{}").toBuilder().setKind("edit");

    assertThat(ProtectedPaths.touchedBy(edit.addEditedFiles("/p/build").build())).isTrue();
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
