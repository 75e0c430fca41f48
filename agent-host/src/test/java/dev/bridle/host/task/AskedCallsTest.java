package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.rpc.RawJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a tool call goes on as another action than was asked for. */
class AskedCallsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path FOLDER = Path.of("/project");
  private static final RequestTraits TRAITS = new RequestTraits(Set.of("started_at_ms"), false);

  private static ToolCall call(String json) throws IOException {
    Map<String, RawJson> members = new LinkedHashMap<>();
    MAPPER
        .readTree(json)
        .properties()
        .forEach(member -> members.put(member.getKey(), RawJson.of(member.getValue())));
    return new ToolCall("call-1", members);
  }

  private static Question.Permission question(String asked, Optional<String> known)
      throws IOException {
    Optional<ToolCall> before =
        known.isPresent() ? Optional.of(call(known.get())) : Optional.empty();
    ObjectNode whole = MAPPER.createObjectNode();
    JsonNode toolCall = MAPPER.readTree(asked);
    return new Question.Permission(
        call(asked),
        before,
        List.of(new Question.Option("y", "Yes", Question.OptionKind.ALLOW_ONCE)),
        RawJson.of(whole.set("toolCall", toolCall)),
        true);
  }

  private static AskedCalls asked(String asked, Optional<String> known) throws IOException {
    AskedCalls calls = new AskedCalls(TRAITS, FOLDER);
    allow(calls, asked, known);
    return calls;
  }

  private static ShownCall allow(AskedCalls calls, String asked, Optional<String> known)
      throws IOException {
    Question.Permission question = question(asked, known);
    calls.asked(question);
    ShownCall shown = calls.allow(question, Optional.empty()).orElseThrow();
    calls.closed(question);
    return shown;
  }

  private static String command(String input) {
    return "{\"kind\":\"execute\",\"rawInput\":" + input + "}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // what was asked | what is reported then | what differs
        "{\"command\":\"ls\"}|{\"command\":\"rm\"}|command",
        "{\"command\":\"ls\"}|{\"command\":\"ls\"}|",
        "{\"command\":\"ls\"}|{\"command\":\"ls\",\"workdir\":\"/etc\"}|workdir",
        "{\"command\":\"ls\"}|{\"command\":\"ls\",\"timeout\":3}|timeout",
        "{\"command\":\"ls\",\"cwd\":\"/a\"}|{\"cwd\":\"/b\"}|cwd,command",
        "{\"command\":\"ls\",\"cwd\":\"/a\"}|{\"command\":\"ls\"}|cwd",
        "{\"command\":\"ls\",\"timeout\":3}|{\"command\":\"ls\"}|",
        "{\"command\":\"ls\",\"description\":\"a\"}|{\"command\":\"ls\",\"description\":\"b\"}|",
        "{\"command\":\"ls\",\"started_at_ms\":1}|{\"command\":\"ls\",\"started_at_ms\":2}|",
        "{\"command\":\"ls\"}|{\"command\":\"ls\",\"tool_use_id\":\"call-1\"}|",
        "{\"command\":\"ls\"}|{\"command\":\"ls\",\"target\":\"call-1\"}|target",
        "{\"command\":\"ls\",\"sandbox\":true}|{\"command\":\"ls\"}|sandbox",
        "{\"command\":\"ls\"}|{}|",
        "{\"command\":[\"ls\",\"-l\"]}|{\"command\":[\"ls\",\"-a\"]}|command",
      })
  void aCommandIsAnotherOneByWhatDiffersOrIsAdded(String asked, String now, String members)
      throws IOException {
    AskedCalls calls = asked(command(asked), Optional.empty());

    Optional<ObjectNode> difference = calls.takeDifference(call(command(now)));

    assertThat(names(difference)).isEqualTo(members == null ? "" : members);
    assertThat(calls.takeDifference(call(command(now)))).as("once more").isEmpty();
  }

  private static String names(Optional<ObjectNode> difference) {
    StringBuilder names = new StringBuilder();
    difference
        .map(ObjectNode::fieldNames)
        .ifPresent(all -> all.forEachRemaining(name -> names.append(',').append(name)));
    return names.isEmpty() ? "" : names.substring(1);
  }

  @Test
  void anInputThatWasSaidBeforeIsTheSame() throws IOException {
    AskedCalls calls =
        asked(
            "{\"kind\":\"edit\",\"rawInput\":{\"filepath\":\"/project/a\",\"diff\":\"+a\"}}",
            Optional.of(
                "{\"kind\":\"edit\",\"rawInput\":{\"filePath\":\"/project/a\",\"newString\":\"a\"}}"));

    assertThat(
            calls.takeDifference(
                call(
                    "{\"kind\":\"edit\",\"rawInput\":{\"filePath\":\"/project/a\",\"newString\":\"a\"}}")))
        .isEmpty();
    assertThat(
            names(
                calls.takeDifference(
                    call(
                        "{\"kind\":\"edit\",\"rawInput\":{\"filePath\":\"/project/b\",\"newString\":\"a\"}}"))))
        .contains("filePath");
  }

  @Test
  void anotherKindAndAnotherNameAreAnotherAction() throws IOException {
    String asked = "{\"kind\":\"read\",\"name\":\"look\",\"rawInput\":{\"a\":1}}";
    assertThat(names(asked(asked, Optional.empty()).takeDifference(call("{\"kind\":\"edit\"}"))))
        .isEqualTo("kind");
    assertThat(names(asked(asked, Optional.empty()).takeDifference(call("{\"name\":\"drop\"}"))))
        .isEqualTo("name");
  }

  @ParameterizedTest
  @CsvSource({"/project/a.txt,false", "a.txt,false", "b.txt,true", "/etc/a.txt,true"})
  void anEditOfAnotherFileIsAnotherAction(String path, boolean isAnother) throws IOException {
    String edit =
        "{\"kind\":\"edit\",\"content\":[{\"type\":\"diff\",\"path\":\"PATH\",\"oldText\":\"\",\"newText\":\"x\"}]}";
    AskedCalls calls = asked(edit.replace("PATH", "/project/a.txt"), Optional.empty());

    assertThat(calls.takeDifference(call(edit.replace("PATH", path))).isPresent())
        .isEqualTo(isAnother);
  }

  @Test
  void argumentsThatAPersonHasChangedAreWhatIsAllowed() throws IOException {
    AskedCalls calls = new AskedCalls(TRAITS, FOLDER);
    Question.Permission question = question(command("{\"command\":\"ls\"}"), Optional.empty());
    calls.asked(question);
    assertThat(calls.allow(question, Optional.of(MAPPER.readTree("{\"command\":\"pwd\"}"))))
        .isPresent();

    assertThat(calls.takeDifference(call(command("{\"command\":\"pwd\"}")))).isEmpty();
    assertThat(names(calls.takeDifference(call(command("{\"command\":\"ls\"}")))))
        .isEqualTo("command");
  }

  @Test
  void whatWasNotAskedForIsNotCompared() throws IOException {
    assertThat(new AskedCalls(TRAITS, FOLDER).takeDifference(call(command("{\"command\":\"ls\"}"))))
        .isEmpty();
  }

  @Test
  void whatWasShownAndNotAllowedCountsForNothing() throws IOException {
    AskedCalls calls = new AskedCalls(TRAITS, FOLDER);
    Question.Permission denied = question(command("{\"command\":\"rm -r .\"}"), Optional.empty());
    calls.asked(denied);
    calls.closed(denied);
    allow(calls, command("{\"command\":\"ls\"}"), Optional.empty());

    assertThat(names(calls.takeDifference(call(command("{\"command\":\"rm -r .\"}")))))
        .isEqualTo("command");
  }

  @Test
  void eachOfSeveralAllowedQuestionsAboutACallCounts() throws IOException {
    AskedCalls calls = asked(command("{\"command\":\"ls\"}"), Optional.empty());
    ShownCall second = allow(calls, command("{\"command\":\"pwd\"}"), Optional.empty());
    assertThat(calls.takeDifference(call(command("{\"command\":\"ls\"}")))).isEmpty();
    assertThat(calls.takeDifference(call(command("{\"command\":\"pwd\"}")))).isEmpty();

    calls.retract("call-1", second);

    assertThat(names(calls.takeDifference(call(command("{\"command\":\"pwd\"}")))))
        .as("its answer was not sent")
        .isEqualTo("command");
  }

  @Test
  void aKindThatActsIsAnotherOneAlsoWhereNoneWasSaid() throws IOException {
    AskedCalls calls = asked("{\"rawInput\":{\"a\":1}}", Optional.empty());
    assertThat(calls.takeDifference(call("{\"kind\":\"read\"}"))).isEmpty();
    assertThat(names(calls.takeDifference(call("{\"kind\":\"execute\"}")))).isEqualTo("kind");
  }

  @ParameterizedTest
  @CsvSource({
    "a\\nb\\n,a\\nc\\n,false",
    "a\\r\\nb,a\\r\\nc,false",
    "b,c,false",
    "x\\na\\nb,x\\na\\nc,false",
    "b,d,true",
    "a\\nb\\n,a\\nc\\nd\\n,true",
    "x\\na\\nb,y\\na\\nc,true",
  })
  void anEditThatOnlyItsChangesShowIsAnotherOneWithOtherTexts(
      String before, String after, boolean isAnother) throws IOException {
    String edit =
        "{\"kind\":\"edit\",\"content\":[{\"type\":\"diff\",\"path\":\"a.txt\",\"oldText\":\"OLD\",\"newText\":\"NEW\"}]}";
    AskedCalls calls =
        asked(edit.replace("OLD", "a\\nb").replace("NEW", "a\\nc"), Optional.empty());

    String now = edit.replace("OLD", before).replace("NEW", after);
    assertThat(calls.takeDifference(call(now)).isPresent()).isEqualTo(isAnother);
  }

  @Test
  void aCommandThatWasShownInWordsHasToBeAmongThem() throws IOException {
    String asked = "{\"kind\":\"execute\",\"title\":\"ls -l [in /project]\"}";
    assertThat(
            asked(asked, Optional.empty()).takeDifference(call(command("{\"command\":\"ls -l\"}"))))
        .isEmpty();
    assertThat(
            names(
                asked(asked, Optional.empty())
                    .takeDifference(call(command("{\"command\":\"rm\"}")))))
        .isEqualTo("command");
    assertThat(
            names(
                asked(asked, Optional.empty())
                    .takeDifference(call(command("{\"command\":\"ls\"}")))))
        .as("a part of the words")
        .isEqualTo("command");
  }

  @Test
  void placesThatWereNotShownAreAnotherAction() throws IOException {
    AskedCalls calls =
        asked("{\"kind\":\"delete\",\"rawInput\":{\"path\":\"a.txt\"}}", Optional.empty());
    assertThat(calls.takeDifference(call("{\"locations\":[{\"path\":\"/project/a.txt\"}]}")))
        .isEmpty();
    assertThat(names(calls.takeDifference(call("{\"locations\":[{\"path\":\"b.txt\"}]}"))))
        .isEqualTo("changes");
  }
}
