package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Question.Option;
import dev.bridle.host.acp.Question.OptionKind;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.permission.v1.PermissionOption;
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
import org.junit.jupiter.params.provider.ValueSource;

/** All that agents say of a call is shown; what is done is bound, and what is not known is said. */
class WholeQuestionTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path FOLDER = Path.of("/project");
  private static final RequestTraits CODEX =
      new RequestTraits(Set.of("call_id", "turn_id", "started_at_ms", "parsed_cmd"), false);

  private static Map<String, RawJson> members(JsonNode object) {
    Map<String, RawJson> members = new LinkedHashMap<>();
    object
        .properties()
        .forEach(member -> members.put(member.getKey(), RawJson.of(member.getValue())));
    return members;
  }

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  private static Question.Permission question(String whole, Optional<String> known) {
    JsonNode params = json(whole);
    return new Question.Permission(
        new ToolCall("c1", members(params.path("toolCall"))),
        known.map(call -> new ToolCall("c1", members(json(call)))),
        List.of(new Option("y", "Yes", OptionKind.ALLOW_ONCE)),
        RawJson.of(params),
        true);
  }

  private static AskedAction action(Question.Permission question) {
    return AskedAction.of(question, FOLDER, CODEX);
  }

  private static AskedAction asked(String call) {
    return action(question("{'toolCall':" + call + "}", Optional.empty()));
  }

  private static AskedAction asked(String call, String known) {
    return action(question("{'toolCall':" + call + "}", Optional.of(known)));
  }

  @Test
  void aCommandThatStandsInTheTitleAloneIsNotKnownExactlyAndBound() {
    AskedAction ls = asked("{'title':'ls -l','kind':'execute','content':[],'locations':[]}");
    AskedAction rm = asked("{'title':'rm -rf /','kind':'execute','content':[],'locations':[]}");

    assertThat(ls.notExact()).hasValueSatisfying(why -> assertThat(why).contains("which command"));
    assertThat(ls.content().at("/says/title").asText()).isEqualTo("ls -l");
    assertThat(ls.said().path("title").asText()).isEqualTo("ls -l");
    assertThat(rm.content()).isNotEqualTo(ls.content());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind':'execute','rawInput':{}}",
        "{'kind':'execute','rawInput':{'command':''}}",
        "{'kind':'execute','rawInput':{'command':[]}}",
        "{'kind':'execute','rawInput':{'command':{'a':1}}}",
        "{'kind':'execute','rawInput':'ls'}",
        "{'kind':'edit','rawInput':{}}",
        "{'kind':'edit','rawInput':{'description':'Fix it'}}",
        "{'kind':'edit','locations':[{'path':'a'}]}",
        "{'kind':'delete','title':'rm a','locations':[{'path':'a'}]}",
        "{'kind':'delete','rawInput':{},'name':'remove'}",
        "{'kind':'move','rawInput':{}}",
        "{'kind':'fetch','title':'https://example.org'}",
        "{'kind':'other','name':'deploy'}",
        "{'kind':'other','rawInput':{}}",
        "{'title':'Do it'}",
      })
  void whatDoesNotSayWhatIsDoneIsNotKnownExactly(String call) {
    AskedAction action = asked(call);

    assertThat(action.notExact()).isPresent();
    assertThat(action.content().path("says").isObject()).isTrue();
    assertThat(action.editedFiles()).isEmpty();
    assertThat(action.permission().action().getNotExact()).isEqualTo(action.notExact().get());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind':'execute','rawInput':{'command':'ls'}}",
        "{'kind':'execute','rawInput':{'command':['bash','-lc','ls']}}",
        "{'kind':'edit','rawInput':{'file_path':'a','new_string':'b'}}",
        "{'kind':'edit','content':[{'type':'diff','path':'a','oldText':'','newText':'b'}]}",
        "{'kind':'delete','rawInput':{'path':'a'}}",
        "{'kind':'other','rawInput':{},'name':'list'}",
        "{'kind':'other','rawInput':{'a':1}}",
      })
  void whatSaysWhatIsDoneIsKnownExactly(String call) {
    assertThat(asked(call).notExact()).isEmpty();
    assertThat(asked(call).content().has("says")).isFalse();
  }

  @Test
  void whatAnEarlierUpdateHasSaidIsPartOfTheQuestion() {
    AskedAction edit =
        asked(
            "{'kind':'edit','title':'Edit a','locations':[{'path':'/project/a'}]}",
            "{'kind':'edit','content':[{'type':'diff','path':'/project/a','oldText':'x\\n',"
                + "'newText':'y\\n'}]}");

    assertThat(edit.notExact()).isEmpty();
    assertThat(edit.content().at("/changes/0/diff").asText()).contains("-x", "+y");
  }

  @Test
  void twoInputsThatDifferAreBothBound() {
    AskedAction action =
        asked(
            "{'kind':'execute','rawInput':{'command':'make test'}}",
            "{'kind':'execute','rawInput':{'command':'make deploy','cwd':'/srv'}}");

    assertThat(action.notExact()).hasValueSatisfying(why -> assertThat(why).contains("command"));
    assertThat(action.content().path("command").asText()).isEqualTo("make test");
    assertThat(action.content().at("/other_input/command").asText()).isEqualTo("make deploy");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'make deploy'", "['make','deploy']"})
  void anInputThatIsNoObjectIsBoundBesideOneThatIs(String said) {
    String call = "{'kind':'execute','rawInput':{'command':'make test'}}";
    AskedAction action = asked(call, "{'kind':'execute','rawInput':" + said + "}");

    assertThat(action.notExact()).isPresent();
    assertThat(action.content().at("/other_input/input")).isEqualTo(json(said));
    assertThat(asked(call, "{'rawInput':[]}").notExact()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cwd", "workdir", "dir_path", "directory"})
  void noFolderIsAssumedBesideOneThatIsSaid(String member) {
    AskedAction said =
        asked("{'kind':'execute','rawInput':{'command':'ls','" + member + "':'/srv'}}");
    AskedAction assumed = asked("{'kind':'execute','rawInput':{'command':'ls'}}");

    assertThat(said.content().path(member).asText()).isEqualTo("/srv");
    assertThat(said.content().has("cwd_assumed")).isFalse();
    assertThat(assumed.content().path("cwd").asText()).isEqualTo("/project");
    assertThat(assumed.content().path("cwd_assumed").asBoolean()).isTrue();
  }

  @Test
  void aMemberOfTheAgentsIsNeverReplacedByOneOfOurs() {
    AskedAction issue =
        asked("{'kind':'other','title':'create_issue','rawInput':{'title':'Drop it','says':1}}");
    assertThat(issue.content().path("title").asText()).isEqualTo("Drop it");
    assertThat(issue.content().path("shown_title").asText()).isEqualTo("create_issue");
    AskedAction command =
        asked("{'kind':'execute','rawInput':{'command':'ls','cwd':['/a'],'changes':2}}");
    assertThat(command.content().path("cwd")).hasToString("[\"/a\"]");
    assertThat(command.content().has("cwd_assumed")).isFalse();
    AskedAction edit =
        asked(
            "{'kind':'edit','rawInput':{'changes':1,'shown_changes':2},'content':[{'type':'diff',"
                + "'path':'a','newText':'b'}]}");
    assertThat(edit.content().path("shown_changes").asInt()).isEqualTo(2);
    assertThat(edit.content().at("/shown_shown_changes/0/path").asText()).isEqualTo("a");
    AskedAction assumed = asked("{'kind':'execute','rawInput':{'command':'ls','cwd_assumed':1}}");
    assertThat(assumed.content().path("cwd_assumed").asInt()).isEqualTo(1);
  }

  @Test
  void wordsOfAnyLengthFitIntoARequest() {
    String large = "0123456789".repeat(100_000);
    AskedAction action =
        asked(
            "{'title':'"
                + large
                + "','kind':'execute','locations':[{'path':'/"
                + large
                + "'}],'content':[{'type':'content','content':{'type':'text','text':'"
                + large
                + "'}}]}");

    assertThat(Bounded.bytes(action.content())).isLessThan(256 << 10);
    assertThat(action.content().at("/says/title/sha256").asText()).isEqualTo(Sha256.hex(large));
  }

  @Test
  void placesThatNothingElseNamesAreBound() {
    AskedAction action =
        action(
            question(
                "{'toolCall':{'kind':'edit','rawInput':{'file_path':'a','text':'x'},"
                    + "'locations':[{'path':'/project/a'},{'path':'/project/b'}]},"
                    + "'declaredPaths':['c','/project/a']}",
                Optional.empty()));

    assertThat(action.content().path("locations")).hasToString("[\"/project/b\",\"c\"]");
    assertThat(action.editedFiles())
        .containsExactlyInAnyOrder("/project/a", "/project/b", "/project/c");
  }

  @Test
  void theDescriptionOfACommandIsSaidAndThatOfAnotherToolIsItsArgument() {
    String call = "{'kind':'KIND','rawInput':{'command':'ls','description':'List it'}}";

    AskedAction command = asked(call.replace("KIND", "execute"));
    assertThat(command.content().has("description")).isFalse();
    assertThat(command.said().path("description").asText()).isEqualTo("List it");
    AskedAction other = asked(call.replace("KIND", "other"));
    assertThat(other.content().path("description").asText()).isEqualTo("List it");
  }

  @Test
  void whatDiffersFromCallToCallMakesNoOtherAction() {
    String call =
        "{'kind':'execute','rawInput':{'command':['ls'],'cwd':'/project','call_id':'ID',"
            + "'toolCallId':'c1','started_at_ms':TIME}}";

    AskedAction first = asked(call.replace("ID", "a").replace("TIME", "1"));
    AskedAction second = asked(call.replace("ID", "b").replace("TIME", "2"));

    assertThat(second.content()).isEqualTo(first.content());
    assertThat(second.said()).isNotEqualTo(first.said());
    assertThat(first.content().has("toolCallId")).as("the call's own id").isFalse();
  }

  @Test
  void theNameTheQuorumAndTheEvidenceOfHarnCountWhereverTheyStand() {
    Question.Permission below =
        question(
            "{'toolCall':{'name':'deploy','kind':'other','rawInput':{'target':'production'},"
                + "'_meta':{'harn':{'approvalRequest':{'approvers_required':2,"
                + "'evidence':[{'text':'the tests passed'}]}}}},"
                + "'approvalRequest':{'approvers_required':1}}",
            Optional.empty());

    AskedAction action = action(below);

    assertThat(action.tool()).isEqualTo("deploy");
    assertThat(action.approvers()).isEqualTo(2);
    assertThat(action.said().toString()).contains("the tests passed");
    assertThat(action.permission().required()).isEqualTo(2);
  }

  @Test
  void textsAndMetadataAreShownAndNamesOfToolsCountForRules() {
    AskedAction action =
        asked(
            "{'kind':'execute','title':'ls','rawInput':{'command':'ls'},'content':[{'type':'content',"
                + "'content':{'type':'text','text':'Lists files'}}],"
                + "'_meta':{'claudeCode':{'toolName':'Bash'}}}");

    assertThat(action.said().at("/texts/0").asText()).isEqualTo("Lists files");
    assertThat(action.said().at("/names/0").asText()).isEqualTo("Bash");
    assertThat(action.said().at("/tool_meta/claudeCode/toolName").asText()).isEqualTo("Bash");
    assertThat(action.tool()).isEqualTo("command");
  }

  @Test
  void whatIsCutSaysSoWithSizeAndHash() {
    String large = "0123456789".repeat(2_000);
    AskedAction action =
        asked(
            "{'kind':'execute','title':'"
                + large
                + "','rawInput':{'command':'ls'},'content':[{'type':'content','content':{"
                + "'type':'text','text':'"
                + large
                + "'}}]}");

    JsonNode title = action.said().path("title");
    assertThat(title.path("characters").asInt()).isEqualTo(20_000);
    assertThat(title.path("sha256").asText()).isEqualTo(Sha256.hex(large));
    assertThat(action.said().at("/texts/0/sha256").asText()).hasSize(64);
    assertThat(action.title().length()).isLessThanOrEqualTo(200);
  }

  @Test
  void allThatAnAgentSaysFitsIntoARequest() {
    ObjectNode call = MAPPER.createObjectNode().put("kind", "other");
    call.putObject("rawInput").put("a", 1);
    for (int i = 0; i < 40; i++) {
      call.withObject("/_meta").put("m" + i, "x".repeat(5_000));
    }

    AskedAction action = asked(call.toString());

    assertThat(Bounded.bytes(action.said())).isLessThanOrEqualTo(60 << 10);
    assertThat(action.said().toString()).contains("sha256");
  }

  @Test
  void whatIsBoundFitsIntoARequestWhateverIsLarge() {
    String large = "x\u0001".repeat(30_000);
    ObjectNode call = MAPPER.createObjectNode().put("kind", "edit").put("title", large);
    call.putObject("rawInput").put("content", large).put("path", large);
    for (int i = 0; i < 40; i++) {
      call.withArray("locations").addObject().put("path", i + large.substring(0, 4_000));
      call.withArray("content")
          .addObject()
          .put("type", "diff")
          .put("path", "f" + i)
          .put("oldText", large.substring(i))
          .put("newText", large.substring(i + 1));
    }
    ObjectNode known = MAPPER.createObjectNode();
    known.putObject("rawInput").put("content", large + "other");

    AskedAction action = asked(call.toString(), known.toString());

    assertThat(Bounded.bytes(action.content())).isLessThanOrEqualTo(256 << 10);
    assertThat(Bounded.bytes(action.said())).isLessThanOrEqualTo(60 << 10);
  }

  @Test
  void optionsKeepTheAgentsNamesAndLongIdsAreMapped() {
    Question.Permission question =
        new Question.Permission(
            new ToolCall("c1", Map.of()),
            Optional.empty(),
            List.of(
                new Option("staging", "Drop staging", OptionKind.ALLOW_ONCE),
                new Option(
                    "x".repeat(200), "Drop production " + "y".repeat(300), OptionKind.ALLOW_ONCE),
                new Option("odd", "?", OptionKind.UNKNOWN),
                new Option("none", "", OptionKind.REJECT_ONCE)),
            RawJson.of(json("{}")),
            true);

    List<PermissionOption> options = AskedOptions.of(question);

    assertThat(options)
        .extracting(PermissionOption::getId)
        .containsExactly("staging", "option-2", "none");
    assertThat(options.get(0).getName()).isEqualTo("Drop staging");
    assertThat(options.get(1).getName()).hasSize(256);
    assertThat(options.get(2).getName()).isEqualTo("reject_once");
    assertThat(AskedOptions.fault(question)).isEmpty();
  }

  @Test
  void optionsThatCanNotBeToldApartAreRefused() {
    Question.Permission twice =
        new Question.Permission(
            new ToolCall("c1", Map.of()),
            Optional.empty(),
            List.of(
                new Option("a", "Yes", OptionKind.ALLOW_ONCE),
                new Option("a", "No", OptionKind.REJECT_ONCE)),
            RawJson.of(json("{}")),
            true);

    assertThat(AskedOptions.fault(twice)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind':'edit','rawInput':{'file_path':'a','description':'x'}}",
        "{'kind':'edit','content':[{'type':'diff','path':'a','newText':7}]}",
        "{'kind':'edit','content':[{'type':'diff','path':'a','newText':'x'},{'type':'patch'}]}",
        "{'kind':'edit','rawInput':{'path':'a','text':'x'},'locations':['/etc']}",
      })
  void anActionWithPartsThatSayNothingKnownIsNotExact(String call) {
    AskedAction action = asked(call);
    assertThat(action.notExact()).isPresent();
    assertThat(action.editedFiles()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'kind':'read'|two kinds",
        "'name':'look'|two names",
        "'toolName':'look'|two names",
        "'content':[{'type':'diff','path':'/etc/b','newText':'x'}]|another change",
      })
  void anActionThatWasAnnouncedOtherwiseIsNotExact(String before, String why) {
    String call =
        "{'kind':'edit','name':'write','toolName':'write','rawInput':{'path':'a','text':'x'},"
            + "'content':[{'type':'diff','path':'a','newText':'x'}]}";

    assertThat(asked(call, call).notExact()).isEmpty();
    assertThat(asked(call, "{" + before + "}").notExact().orElseThrow()).contains(why);
  }

  @Test
  void membersOfACallThatNobodyKnowsAreShown() {
    assertThat(
            asked("{'kind':'execute','rawInput':{'command':'ls'},'warning':'Not in a sandbox'}")
                .said()
                .path("warning")
                .asText())
        .isEqualTo("Not in a sandbox");
  }

  @Test
  void anOptionWhoseIdAnotherOneHasIsNeverAnswered() {
    Question.Permission question =
        new Question.Permission(
            question(
                    "{'toolCall':{'kind':'execute','rawInput':{'command':'ls'}}}", Optional.empty())
                .toolCall(),
            Optional.empty(),
            List.of(
                new Question.Option("x", "Yes", Question.OptionKind.ALLOW_ONCE),
                new Question.Option("n", "No", Question.OptionKind.REJECT_ONCE),
                new Question.Option("n", "Go", Question.OptionKind.UNKNOWN)),
            RawJson.absent(),
            true);

    assertThat(AskedOptions.fault(question)).contains("The agent offers two options of one id.");
    assertThat(question.onlyOption(Question.OptionKind.REJECT_ONCE)).isEmpty();
    assertThat(question.onlyOption(Question.OptionKind.ALLOW_ONCE)).isPresent();
  }
}
