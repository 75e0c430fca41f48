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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an agent that does something else than was shown could report without being noticed. */
class ActedDifferentlyTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String LS = "{'kind':'execute','rawInput':{'command':'ls'}}";
  private static final String RM = "{'kind':'execute','rawInput':{'command':'rm'}}";

  private final AskedCalls calls = new AskedCalls(RequestTraits.NONE, Path.of("/project"));

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  private static ToolCall call(String json) {
    Map<String, RawJson> members = new LinkedHashMap<>();
    json(json)
        .properties()
        .forEach(member -> members.put(member.getKey(), RawJson.of(member.getValue())));
    return new ToolCall("c1", members);
  }

  private static Question.Permission question(String asked, Optional<String> known) {
    ObjectNode whole = MAPPER.createObjectNode();
    return new Question.Permission(
        call(asked),
        known.map(ActedDifferentlyTest::call),
        List.of(new Question.Option("y", "Yes", Question.OptionKind.ALLOW_ONCE)),
        RawJson.of(whole.set("toolCall", json(asked))),
        true);
  }

  private Question.Permission asked(String asked, String known) {
    Question.Permission question = question(asked, Optional.of(known));
    calls.asked(question);
    return question;
  }

  private void allow(Question.Permission question) {
    assertThat(calls.allow(question, Optional.empty())).isPresent();
    calls.closed(question);
  }

  private void allow(String asked) {
    Question.Permission question = question(asked, Optional.empty());
    calls.asked(question);
    allow(question);
  }

  private List<String> reported(String call) {
    return reported(call, call(call).members().keySet(), List.of());
  }

  /** Returns what differs for certain. */
  private List<String> reported(
      String call, Set<String> members, List<Question.Permission> questions) {
    List<String> names = new ArrayList<>();
    calls
        .takeDifference(new CallUpdate(call(call), members, questions))
        .filter(Difference::isCertain)
        .ifPresent(difference -> difference.members().fieldNames().forEachRemaining(names::add));
    return names;
  }

  @Test
  void anInputThatAPersonHasReplacedIsOnlyComparedWhereTheAgentSaysItAgain() {
    Question.Permission question = asked(LS, LS);
    assertThat(calls.allow(question, Optional.of(json("{'command':'pwd'}")))).isPresent();
    calls.closed(question);

    assertThat(reported(LS, Set.of("status"), List.of())).isEmpty();
    assertThat(reported(LS, Set.of("status", "rawInput"), List.of())).containsExactly("command");
  }

  @Test
  void anInputThatNobodyHasReplacedIsComparedWhenEverItWasSaid() {
    Question.Permission question = asked(LS, LS);
    assertThat(calls.allow(question, Optional.of(json("{'command':'pwd'}")))).isPresent();
    calls.closed(question);

    assertThat(reported(RM, Set.of("status"), List.of())).containsExactly("command");
  }

  private static String edit(String input, String text) {
    return "{'kind':'edit','rawInput':"
        + input
        + ",'content':[{'type':'diff','path':'a','oldText':'x','newText':'"
        + text
        + "'}]}";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'x':1}",
        "{'file_path':'a','note':'y'}",
        "{'patch':'@@ -1 +1 @@\\n-a\\n+b'}",
        "{'old':'x'}",
      })
  void changesAreComparedBesideAnInputThatDoesNotSayThem(String input) {
    allow(edit(input, "good"));
    assertThat(reported(edit(input, "good"))).isEmpty();
    assertThat(reported(edit(input, "evil"))).containsExactly("changes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'old':'x','new':'good'}",
        "{'changes':{'a':{'unified_diff':'@@ -1 +1 @@\\n-x\\n+good\\n'}}}",
        "{'content':'good\\r\\n'}",
      })
  void anInputThatSaysTheChangesMayBeReportedByOtherParts(String input) {
    allow(edit(input, "good"));
    assertThat(reported(edit(input, "good, and the line around it"))).isEmpty();
  }

  @Test
  void aChangeThatTheInputSaysIsTheSame() {
    String input = "{'edits':[{'old':'x','new':'good'},{'old':'y','new':'fine'}]}";
    allow(edit(input, "a whole file with good and fine"));

    assertThat(reported(edit(input, "fine"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'cmd':'ls -l'}|",
        "{'cmd':['ls','-l']}|",
        "{'command':'ls','args':['-l']}|",
        "{'cwd':'/project'}|",
        "{'cmd':'rm -rf /'}|command",
        "{'program':'rm','args':['-rf','/']}|command",
        "{'command':'ls -l','cmd':'rm -rf /'}|command",
        "{'run':[{'executable':'rm'}]}|command",
        "{'argv':['rm','-rf','/']}|command",
        "[['rm']]|command",
      })
  void aCommandThatOnlyTheTitleShowedIsComparedWhereverItStands(String input, String differs) {
    allow("{'kind':'execute','title':'ls -l [in /project]'}");

    assertThat(reported("{'kind':'execute','rawInput':" + input + "}"))
        .isEqualTo(differs == null ? List.of() : List.of(differs));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'cmd':'ls'}",
        "{'cmd':['ls','-l']}",
        "{'program':'git','args':['status']}",
      })
  void anotherMemberThanCommandIsTheSameCommandWhenItIsRepeated(String input) {
    String call = "{'kind':'execute','title':'Look','rawInput':" + input + "}";
    allow(call);

    assertThat(reported(call)).isEmpty();
    assertThat(reported("{'rawInput':{'cmd':'rm'}}")).containsExactly("command");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'command':'rm'}|command",
        "{'cmd':['rm','a']}|command",
        "{'command':'create','args':['a']}|command",
        "{'command':'str_replace','path':'/project/a'}|",
        "{'path':'/project/a','text':'good'}|",
      })
  void aCommandThatIsReportedForAnEditIsAnotherAction(String input, String differs) {
    allow("{'kind':'edit','content':[{'type':'diff','path':'a','oldText':'x','newText':'good'}]}");

    assertThat(reported("{'rawInput':" + input + "}"))
        .isEqualTo(differs == null ? List.of() : List.of(differs));
  }

  @ParameterizedTest
  @CsvSource({
    "name,read_file,toolName,delete_file,toolName",
    "toolName,read_file,toolName,delete_file,toolName",
    "toolName,read_file,name,delete_file,name",
    "toolName,read_file,toolName,read_file,",
    "title,read_file,toolName,read,",
  })
  void anotherNameIsAnotherActionWhereverItIsSaid(
      String asked, String name, String member, String now, String differs) {
    allow("{'kind':'read','" + asked + "':'" + name + "','rawInput':{'path':'a'}}");

    assertThat(reported("{'" + member + "':'" + now + "'}"))
        .isEqualTo(differs == null ? List.of() : List.of(differs));
  }

  @Test
  void aNameThatIsFirstSaidAfterTheAnswerIsForTheRulesToJudgeOnce() {
    allow(LS);
    CallUpdate named = new CallUpdate(call("{'name':'delete_file'}"), Set.of("name"), List.of());

    Difference difference = calls.takeDifference(named).orElseThrow();

    assertThat(difference.isCertain()).isFalse();
    assertThat(difference.firstName()).isEqualTo("delete_file");
    assertThat(calls.takeDifference(named)).isEmpty();
    assertThat(reported(RM)).as("and the call is still compared").isNotEmpty();
  }

  @Test
  void whatIsSaidDuringAnotherQuestionHasToBeAllowedByThat() {
    allow(LS);
    Question.Permission second = asked(RM, RM);
    assertThat(reported(RM, Set.of("rawInput"), List.of(second))).isEmpty();
    calls.closed(second); // Withdrawn.

    assertThat(reported(LS)).containsExactly("command");
  }

  @Test
  void whatWasAllowedByAnotherQuestionIsTheSameAfterwards() {
    allow(LS);
    Question.Permission second = asked(RM, RM);
    assertThat(reported(RM, Set.of("rawInput"), List.of(second))).isEmpty();
    allow(second);

    assertThat(reported(RM)).isEmpty();
    assertThat(reported(LS)).isEmpty();
  }

  @Test
  void anAnswerThatIsNotSentAllowsNothingThatWasSaidBefore() {
    allow(LS);
    Question.Permission second = asked(RM, RM);
    assertThat(reported(RM, Set.of("rawInput"), List.of(second))).isEmpty();
    ShownCall shown = calls.allow(second, Optional.empty()).orElseThrow();
    calls.retract("c1", shown);
    calls.closed(second);

    assertThat(reported(LS)).containsExactly("command");
  }

  @Test
  void whatAQuestionWasRevisedFromIsNotAllowedByIt() {
    allow(LS);
    Question.Permission rm = asked(RM, RM);
    assertThat(reported(RM, Set.of("rawInput"), List.of(rm))).isEmpty();
    Question.Permission ls = asked(LS, LS);
    assertThat(reported(LS, Set.of("rawInput"), List.of(ls))).isEmpty();
    allow(ls);

    assertThat(reported(LS)).containsExactly("command");
  }

  @Test
  void aQuestionAboutACallThatNobodyHasAllowedMayChange() {
    Question.Permission rm = asked(RM, RM);
    assertThat(reported(RM, Set.of("rawInput"), List.of(rm))).isEmpty();
    Question.Permission ls = asked(LS, LS);
    assertThat(reported(LS, Set.of("rawInput"), List.of(ls))).isEmpty();
    allow(ls);

    assertThat(reported(LS)).isEmpty();
  }
}
