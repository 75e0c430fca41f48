package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.CallUpdate;
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

  private static CallUpdate update(ToolCall call) {
    return new CallUpdate(call, call.members().keySet(), List.of());
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

    Optional<Difference> difference = calls.takeDifference(update(call(command(now))));

    assertThat(names(difference)).isEqualTo(members == null ? "" : members);
    assertThat(calls.takeDifference(update(call(command(now))))).as("once more").isEmpty();
  }

  private static String names(Optional<Difference> difference) {
    StringBuilder names = new StringBuilder();
    difference
        .map(found -> found.members().fieldNames())
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
                update(
                    call(
                        "{\"kind\":\"edit\",\"rawInput\":{\"filePath\":\"/project/a\",\"newString\":\"a\"}}"))))
        .isEmpty();
    assertThat(
            names(
                calls.takeDifference(
                    update(
                        call(
                            "{\"kind\":\"edit\",\"rawInput\":{\"filePath\":\"/project/b\",\"newString\":\"a\"}}")))))
        .contains("filePath");
  }

  @Test
  void anotherKindAndAnotherNameAreAnotherAction() throws IOException {
    String asked = "{\"kind\":\"read\",\"name\":\"look\",\"rawInput\":{\"a\":1}}";
    assertThat(
            names(
                asked(asked, Optional.empty()).takeDifference(update(call("{\"kind\":\"edit\"}")))))
        .isEqualTo("kind");
    assertThat(
            names(
                asked(asked, Optional.empty()).takeDifference(update(call("{\"name\":\"drop\"}")))))
        .isEqualTo("name");
  }

  @ParameterizedTest
  @CsvSource({"/project/a.txt,false", "a.txt,false", "b.txt,true", "/etc/a.txt,true"})
  void anEditOfAnotherFileIsAnotherAction(String path, boolean isAnother) throws IOException {
    String edit =
        "{\"kind\":\"edit\",\"content\":[{\"type\":\"diff\",\"path\":\"PATH\",\"oldText\":\"\",\"newText\":\"x\"}]}";
    AskedCalls calls = asked(edit.replace("PATH", "/project/a.txt"), Optional.empty());

    assertThat(calls.takeDifference(update(call(edit.replace("PATH", path)))).isPresent())
        .isEqualTo(isAnother);
  }

  @Test
  void argumentsThatAPersonHasChangedAreWhatIsAllowed() throws IOException {
    AskedCalls calls = new AskedCalls(TRAITS, FOLDER);
    Question.Permission question = question(command("{\"command\":\"ls\"}"), Optional.empty());
    calls.asked(question);
    assertThat(calls.allow(question, Optional.of(MAPPER.readTree("{\"command\":\"pwd\"}"))))
        .isPresent();

    assertThat(calls.takeDifference(update(call(command("{\"command\":\"pwd\"}"))))).isEmpty();
    assertThat(names(calls.takeDifference(update(call(command("{\"command\":\"ls\"}"))))))
        .isEqualTo("command");
  }

  @Test
  void whatWasNotAskedForIsNotCompared() throws IOException {
    assertThat(
            new AskedCalls(TRAITS, FOLDER)
                .takeDifference(update(call(command("{\"command\":\"ls\"}")))))
        .isEmpty();
  }

  @Test
  void whatWasShownAndNotAllowedCountsForNothing() throws IOException {
    AskedCalls calls = new AskedCalls(TRAITS, FOLDER);
    Question.Permission denied = question(command("{\"command\":\"rm -r .\"}"), Optional.empty());
    calls.asked(denied);
    calls.closed(denied);
    allow(calls, command("{\"command\":\"ls\"}"), Optional.empty());

    assertThat(names(calls.takeDifference(update(call(command("{\"command\":\"rm -r .\"}"))))))
        .isEqualTo("command");
  }

  @Test
  void eachOfSeveralAllowedQuestionsAboutACallCounts() throws IOException {
    AskedCalls calls = asked(command("{\"command\":\"ls\"}"), Optional.empty());
    ShownCall second = allow(calls, command("{\"command\":\"pwd\"}"), Optional.empty());
    assertThat(calls.takeDifference(update(call(command("{\"command\":\"ls\"}"))))).isEmpty();
    assertThat(calls.takeDifference(update(call(command("{\"command\":\"pwd\"}"))))).isEmpty();

    calls.retract("call-1", second);

    assertThat(names(calls.takeDifference(update(call(command("{\"command\":\"pwd\"}"))))))
        .as("its answer was not sent")
        .isEqualTo("command");
  }

  @Test
  void aKindThatActsIsAnotherOneAlsoWhereNoneWasSaid() throws IOException {
    AskedCalls calls = asked("{\"rawInput\":{\"a\":1}}", Optional.empty());
    assertThat(calls.takeDifference(update(call("{\"kind\":\"read\"}")))).isEmpty();
    assertThat(names(calls.takeDifference(update(call("{\"kind\":\"execute\"}")))))
        .isEqualTo("kind");
  }

  @ParameterizedTest
  @CsvSource({
    "a\\nb\\n,a\\nc\\n,false",
    "a\\r\\nb,a\\r\\nc,false",
    "b,c,false",
    "x\\na\\nb,x\\na\\nc,false",
    "x\\na\\nb\\ny,x\\na\\nc\\ny,false",
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
    assertThat(calls.takeDifference(update(call(now))).isPresent()).isEqualTo(isAnother);
  }

  @ParameterizedTest
  @CsvSource({
    "b\\n,'',a\\nb\\nc,a\\nc",
    "'x = 1;   ',x = 1;,q\\nx = 1;   \\nz,q\\nx = 1;\\nz",
    "a\\r\\nb\\r\\nc,a\\r\\nc,b\\n,''",
  })
  void theEndOfAPartMayBeWhatChanges(String part, String edited, String file, String after)
      throws IOException {
    String edit =
        "{\"kind\":\"edit\",\"content\":[{\"type\":\"diff\",\"path\":\"a.txt\",\"oldText\":\"OLD\",\"newText\":\"NEW\"}]}";
    AskedCalls calls = asked(edit.replace("OLD", part).replace("NEW", edited), Optional.empty());

    assertThat(calls.takeDifference(update(call(edit.replace("OLD", file).replace("NEW", after)))))
        .isEmpty();
  }

  @Test
  void aCommandThatWasShownInWordsHasToBeAmongThem() throws IOException {
    String asked = "{\"kind\":\"execute\",\"title\":\"ls -l [in /project]\"}";
    assertThat(
            asked(asked, Optional.empty())
                .takeDifference(update(call(command("{\"command\":\"ls -l\"}")))))
        .isEmpty();
    assertThat(
            names(
                asked(asked, Optional.empty())
                    .takeDifference(update(call(command("{\"command\":\"rm\"}"))))))
        .isEqualTo("command");
    assertThat(
            names(
                asked(asked, Optional.empty())
                    .takeDifference(update(call(command("{\"command\":\"ls\"}"))))))
        .as("a part of the words")
        .isEqualTo("command");
  }

  @Test
  void placesThatWereNotShownAreAnotherAction() throws IOException {
    AskedCalls calls =
        asked("{\"kind\":\"delete\",\"rawInput\":{\"path\":\"a.txt\"}}", Optional.empty());
    assertThat(
            calls.takeDifference(update(call("{\"locations\":[{\"path\":\"/project/a.txt\"}]}"))))
        .isEmpty();
    assertThat(names(calls.takeDifference(update(call("{\"locations\":[{\"path\":\"b.txt\"}]}")))))
        .isEqualTo("changes");
    String blank = "{\"kind\":\"delete\",\"rawInput\":{\"path\":\"a.txt\",\"filter\":\"\"}}";
    assertThat(
            asked(blank, Optional.empty())
                .takeDifference(update(call("{\"locations\":[{\"path\":\"/project\"}]}"))))
        .as("an empty text is not the folder")
        .isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    // the header of the patch, the file that is reported, whether that is another one
    "*** Update File: .env.example,/project/.env,true",
    "*** Update File: /etc/passwd.bak,/etc/passwd,true",
    "+++ b/sub/config.yml,/project/config.yml,true",
    "diff --git a/src/a.c b/src/a.c,/project/src/a,true",
    "*** Update File: .env.example,/project/.env.example,false",
    "*** Move to: new name.txt,new name.txt,false",
    "+++ b/sub/config.yml,/project/sub/config.yml,false",
    "+++ b/project/config.yml,/project/config.yml,false",
    "--- src/a.c 2026-11-29 10:00:00,/project/src/a.c,false",
    "--- src/a (1).c,/project/src/a (1).c,false",
    "+++ src/a.c (new),/project/src/a.c,false",
    "+++ \"b/src/a.c\",/project/src/a.c,false",
    "Index: src/a.c,src/a.c,false",
    "diff --git a/src/a b.c b/src/a b.c,src/a b.c,false",
  })
  void aPatchShowsTheFilesOfItsHeadersAndNoOthers(String header, String file, boolean isAnother)
      throws IOException {
    ObjectNode asked = MAPPER.createObjectNode().put("kind", "edit");
    asked.putObject("rawInput").put("patch", header + "\n-a\n+b\n");
    ObjectNode now = MAPPER.createObjectNode();
    now.putArray("locations").addObject().put("path", file);

    assertThat(
            asked(asked.toString(), Optional.empty()).takeDifference(update(call(now.toString()))))
        .matches(found -> found.isPresent() == isAnother);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // what makes the action inexact | the input that was shown | the one of the report
        "\"content\":[{\"type\":\"new\"}]|{\"url\":\"a\"}|{\"url\":\"b\"}",
        "\"locations\":[\"a\"]|{\"command\":\"ls\"}|{\"command\":\"rm\"}",
      })
  void anInputThatWasShownIsComparedAlsoWhereSomethingElseIsUnread(
      String unread, String shown, String reported) throws IOException {
    String call = "{" + unread + ",\"rawInput\":INPUT}";
    String asked = call.replace("INPUT", shown);

    assertThat(asked(asked, Optional.empty()).takeDifference(update(call(asked)))).isEmpty();
    assertThat(
            asked(asked, Optional.empty())
                .takeDifference(update(call(call.replace("INPUT", reported)))))
        .isPresent();
  }

  @Test
  void aThirdInputIsAnotherActionWhereTwoWereShown() throws IOException {
    String asked = command("{\"command\":[\"bash\",\"-lc\",\"ls\"]}");
    String known = command("{\"command\":[\"ls\"]}");

    assertThat(asked(asked, Optional.of(known)).takeDifference(update(call(asked)))).isEmpty();
    assertThat(asked(asked, Optional.of(known)).takeDifference(update(call(known)))).isEmpty();
    assertThat(
            asked(asked, Optional.of(known))
                .takeDifference(update(call(command("{\"command\":[\"rm\"]}")))))
        .isPresent();
  }

  @Test
  void aCommandThatWasShownInWordsMayBeReportedAsAText() throws IOException {
    String asked = "{\"kind\":\"execute\",\"title\":\"ls\"}";

    assertThat(asked(asked, Optional.empty()).takeDifference(update(call(command("\"ls\"")))))
        .isEmpty();
    assertThat(
            names(asked(asked, Optional.empty()).takeDifference(update(call(command("\"rm\""))))))
        .isEqualTo("command");
  }

  @ParameterizedTest
  @CsvSource({"other,read,false", "edit,other,false", "other,edit,true", "read,search,true"})
  void theKindOtherSaysNothing(String asked, String now, boolean isAnother) throws IOException {
    String call = "{\"kind\":\"KIND\",\"rawInput\":{\"path\":\"a\",\"text\":\"b\"}}";
    AskedCalls calls = asked(call.replace("KIND", asked), Optional.empty());

    assertThat(calls.takeDifference(update(call(call.replace("KIND", now)))).isPresent())
        .isEqualTo(isAnother);
  }

  @Test
  void anInputThatComesAfterTheDifferencesMayNameTheirFilesOnly() throws IOException {
    String edit =
        "{\"kind\":\"edit\",\"content\":[{\"type\":\"diff\",\"path\":\"a\",\"oldText\":\"b\","
            + "\"newText\":\"c\"}]}";
    String input = "{\"rawInput\":{\"file_path\":\"FILE\"}}";

    assertThat(
            asked(edit, Optional.empty())
                .takeDifference(update(call(input.replace("FILE", "/project/a")))))
        .isEmpty();
    assertThat(
            names(
                asked(edit, Optional.empty())
                    .takeDifference(update(call(input.replace("FILE", "/etc/passwd"))))))
        .isEqualTo("changes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"command\":\"rm \\ud83d\"}|rm",
        "{\"command\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"rm\"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}|rm",
      })
  void aDifferenceIsOneThatTheCoreTakes(String now, String has) throws IOException {
    AskedCalls calls = asked(command("{\"command\":\"ls\"}"), Optional.empty());

    ObjectNode difference =
        calls.takeDifference(update(call(command(now)))).orElseThrow().members();

    assertThat(KeptText.json(RawJson.of(difference), 1000)).isPresent();
    assertThat(difference.toString()).contains(has);
  }
}
