package dev.bridle.host.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.host.acp.SessionSettings;
import dev.bridle.host.task.ProcessBounds;
import dev.bridle.host.task.ProcessScope;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RuntimeFileTest {
  @Test
  void aRuntimeHasAllThatItsObjectSays() {
    RuntimeSettings read =
        parse(
            "// For the build server.\n"
                + "{'runtimes':{'coder':{'command':['opencode','acp'],'env':{'A':'secret'},"
                + "'pass':['KEY'],'process':'daemon','login':'key','mode':'plan','options':{'model':'big','web':true},"
                + "'tenant':'acme','personas':['fixer'],"
                + "'workspaces':['workspace_1'],'max_processes':2,'memory_mb':512,"
                + "'idle_end':'1m30s','tool_search_url':'https://tools.example/q'}}}");

    assertThat(read.launch().command()).containsExactly("opencode", "acp");
    assertThat(read.launch().environment()).isEqualTo(Map.of("A", "secret"));
    assertThat(read.launch().passed()).isEqualTo(Set.of("KEY"));
    assertThat(read.launch().scope()).isEqualTo(ProcessScope.DAEMON);
    assertThat(read.launch().chosen())
        .isEqualTo(
            new SessionSettings(
                Optional.of("key"), Optional.of("plan"), Map.of("model", "big", "web", "true")));
    assertThat(read.tasks())
        .isEqualTo(new RuntimeSettings.Tasks("acme", Set.of("fixer"), Set.of("workspace_1")));
    assertThat(read.bounds())
        .isEqualTo(new ProcessBounds(2, OptionalLong.of(512L << 20), Duration.ofSeconds(90)));
    assertThat(read.toolSearch()).isEqualTo(Optional.of(URI.create("https://tools.example/q")));
    assertThat(read.toString()).doesNotContain("secret");
  }

  @Test
  void whatIsLeftOutHasItsDefault() {
    RuntimeSettings read = parse("{'runtimes':{'coder':{'command':['agent']}}}");

    assertThat(read.launch().scope()).isEqualTo(ProcessScope.SESSION);
    assertThat(read.tasks()).isEqualTo(new RuntimeSettings.Tasks("default", Set.of(), Set.of()));
    assertThat(read.bounds())
        .isEqualTo(new ProcessBounds(4, OptionalLong.empty(), Duration.ofMinutes(10)));
    assertThat(read.toolSearch()).isEmpty();
    assertThat(read.launch().chosen()).isEqualTo(SessionSettings.NONE);
  }

  @Test
  void aPresetIsNamedOrKnownByTheProgramsName(@TempDir Path folder) throws Exception {
    RuntimeSettings named =
        parse("{'runtimes':{'a':{'command':['/opt/wrapped'],'preset':'opencode'}}}");
    assertThat(named.launch().known()).map(preset -> preset.name()).contains("opencode");
    assertThat(RuntimeHomes.start(folder, Map.of(), named).asks()).isTrue();

    assertThat(parse("{'runtimes':{'a':{'command':['qwen']}}}").launch().known()).isPresent();
    RuntimeSettings unknown = parse("{'runtimes':{'a':{'command':['/opt/wrapped']}}}");
    assertThat(RuntimeHomes.start(folder, Map.of(), unknown).asks()).isFalse();
  }

  @Test
  void aRuntimeHasToAskWithAPresetOrWhereItsObjectSaysSo(@TempDir Path folder) throws Exception {
    assertThat(parse("{'runtimes':{'a':{'command':['mine']}}}").launch().mustAsk()).isFalse();
    for (String has :
        List.of(
            "'command':['qwen']",
            "'command':['mine'],'preset':'opencode'",
            "'command':['qwen'],'must_ask':true")) {
      assertThat(parse("{'runtimes':{'a':{" + has + "}}}").launch().mustAsk()).isTrue();
    }
    RuntimeSettings said = parse("{'runtimes':{'a':{'command':['mine'],'must_ask':true}}}");
    assertThat(RuntimeHomes.start(folder, Map.of(), said).mustAsk()).isTrue();
    assertThat(RuntimeHomes.start(folder, Map.of(), said).asks()).as("made to ask").isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]|expected an object with one member",
        "{'runtimes':{},'more':1}|expected an object with one member",
        "{'runtimes':{'Big':{'command':['a']}}}|is no name",
        "{'runtimes':{'a':7}}|must be an object",
        "{'runtimes':{'a':{}}}|needs a command",
        "{'runtimes':{'a':{'command':'agent'}}}|needs a list of texts as command",
        "{'runtimes':{'a':{'command':['x'],'memory':9}}}|unknown member 'memory'",
        "{'runtimes':{'a':{'command':['x'],'memory_mb':0}}}|a number from 1",
        "{'runtimes':{'a':{'command':['x'],'max_processes':1.5}}}|a number from 1",
        "{'runtimes':{'a':{'command':['x'],'process':'thread'}}}|expected task, session or daemon",
        "{'runtimes':{'a':{'command':['x'],'idle_end':'soon'}}}|expected a time",
        "{'runtimes':{'a':{'command':['x'],'preset':'vim'}}}|unknown preset 'vim'",
        "{'runtimes':{'a':{'command':['x'],'must_ask':1}}}|needs true or false as must_ask",
        "{'runtimes':{'a':{'command':['qwen'],'must_ask':false}}}|its preset always makes it ask",
        "{'runtimes':{'a':{'command':['x'],'preset':'qwen','must_ask':false}}}|always makes it ask",
        "{'runtimes':{'a':{'command':['x'],'env':{'A':1}}}}|needs a text as env.A",
        "{'runtimes':{'a':{'command':['x'],'tool_search_url':'ftp://x'}}}|no address",
        "{'runtimes':{'a':{'command':['x'],'command':['y']}}}|no JSON at line 1",
        "{'runtimes':|no JSON at line 1"
      })
  void whatCantBeIsNamed(String text, String why) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aMessageNamesTheFileAndNoSecret(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("runtimes.json");
    Files.writeString(file, "{\"runtimes\":{\"a\":{\"env\":{\"K\":\"topsecret\"},,}}}");

    assertThatThrownBy(() -> RuntimeFile.read(file))
        .hasMessageContaining(file.toString())
        .message()
        .doesNotContain("topsecret");
    assertThatThrownBy(() -> RuntimeFile.read(folder.resolve("none")))
        .hasMessageContaining("can't be read");
  }

  private static RuntimeSettings parse(String text) {
    List<RuntimeSettings> read = List.copyOf(RuntimeFile.parse(text.replace('\'', '"')).values());
    assertThat(read).hasSize(1);
    return read.get(0);
  }
}
