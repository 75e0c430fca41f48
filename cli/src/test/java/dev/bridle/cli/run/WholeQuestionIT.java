package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person at the terminal is asked is what the agent does, whatever it says and when. */
final class WholeQuestionIT {
  private static final String ONCE = "{'optionId':'once','name':'Allow it','kind':'allow_once'}";
  private static final String NO = "{'optionId':'no','name':'Not this','kind':'reject_once'}";
  private static final String PROMPT = "details > ";

  @TempDir private static Path directory;

  private HostedTalk talk;

  @BeforeEach
  void start() throws Exception {
    Path program = AgentProgram.make(directory, "frames", FramesAgent.class);
    talk = new HostedTalk(directory, program);
    talk.seen().expect("you> ");
  }

  @AfterEach
  void stop() throws IOException {
    talk.close();
  }

  @AfterAll
  static void stopServer() throws IOException {
    HostedTalk.stopServer(directory);
  }

  private void play(String name, String... lines) throws Exception {
    List<String> frames = new ArrayList<>();
    for (String line : lines) {
      frames.add(line.replace('\'', '"'));
    }
    Files.write(talk.folder().resolve(name), frames);
    talk.type(name + "\n");
  }

  private static String call(String variant, String status, String more) {
    return "{'jsonrpc':'2.0','method':'session/update','params':{'sessionId':'s1','update':{"
        + "'sessionUpdate':'"
        + variant
        + "','toolCallId':'c1','title':'bash','kind':'execute','status':'"
        + status
        + "'"
        + more
        + "}}}";
  }

  private static String ask(String call, String... options) {
    return "{'jsonrpc':'2.0','id':7,'method':'session/request_permission','params':{"
        + "'sessionId':'s1','toolCall':{'toolCallId':'c1',"
        + call
        + "},'options':["
        + String.join(",", options)
        + "]}}";
  }

  private String answers() throws Exception {
    return Files.readString(talk.folder().resolve("answers"));
  }

  private JsonNode lastRequest() {
    return talk.client().get("/v1/permission-requests?limit=1").at("/data/0");
  }

  @Test
  void aQuestionThatChangesIsWithdrawnAndAskedAsWhatItIsNow() throws Exception {
    play(
        "late",
        call("tool_call", "pending", ",'rawInput':{}"),
        ask(
            "'title':'sh deploy.sh','kind':'execute','rawInput':{'command':'sh deploy.sh'}",
            ONCE,
            NO),
        "~ more",
        call(
            "tool_call_update",
            "in_progress",
            ",'rawInput':{'command':'sh deploy.sh','workdir':'/srv/prod','description':'Deploy'}"),
        "?",
        call(
            "tool_call_update",
            "completed",
            ",'rawInput':{'command':'sh deploy.sh','workdir':'/srv/prod','description':'Deploy'}"));
    talk.seen().expect("cwd_assumed: true");
    talk.seen().expect(PROMPT);
    Files.createFile(talk.folder().resolve("more"));
    talk.seen().expect("the agent has changed what it asks for");
    talk.seen().expect("in place of an earlier question");
    talk.seen().expect("workdir: /srv/prod");
    talk.seen().expect("the agent says description: Deploy");
    talk.seen().expect(PROMPT);
    talk.type("y\n");
    talk.seen().expect("done, with receipt_");

    JsonNode request = lastRequest();
    assertThat(request.at("/action/content").has("cwd_assumed")).isFalse();
    JsonNode first =
        talk.client().get("/v1/permission-requests/" + request.at("/request/replaces").asText());
    assertThat(first.at("/response/reason").asText()).isEqualTo("changed");
    assertThat(answers()).contains("once");
  }

  @Test
  void aCommandThatGoesOnInAnotherFolderFailsTheTaskAndRevokesWhatAllowedIt() throws Exception {
    play(
        "elsewhere",
        call("tool_call", "pending", ",'rawInput':{'command':'sh deploy.sh'}"),
        ask("'kind':'execute','rawInput':{'command':'sh deploy.sh'}", ONCE, NO),
        "?",
        call(
            "tool_call_update",
            "in_progress",
            ",'rawInput':{'command':'sh deploy.sh','workdir':'/srv/prod'}"));
    talk.seen().expect(PROMPT);
    talk.type("s\n");
    talk.seen().expect("acted_differently");
    talk.seen().expect("/srv/prod");
    talk.seen().expect("you> ");

    JsonNode request = lastRequest();
    assertThat(request.at("/response/voided/reason").asText()).isEqualTo("acted_differently");
    JsonNode grant =
        talk.client().get("/v1/permission-grants/" + request.at("/response/grant_id").asText());
    assertThat(grant.path("revoked_at").isTextual()).isTrue();
    JsonNode task = talk.client().get("/v1/tasks/" + request.path("task_id").asText());
    JsonNode receipt = talk.client().get("/v1/receipts/" + task.path("receipt_id").asText());
    assertThat(receipt.at("/wire/payload/metadata/bridle.acted_differently/0"))
        .isEqualTo(request.path("id"));
  }

  @Test
  void ofSeveralWaysToAllowThePersonChoosesOne() throws Exception {
    play(
        "choose",
        call("tool_call", "pending", ",'rawInput':{'command':'drop'}"),
        ask(
            "'kind':'execute','rawInput':{'command':'drop'}",
            "{'optionId':'staging','name':'Drop staging','kind':'allow_once'}",
            "{'optionId':'production','name':'Drop production','kind':'allow_once'}",
            NO),
        "?",
        call("tool_call_update", "completed", ",'rawInput':{'command':'drop'}"));
    talk.seen().expect("1 Drop staging (allow once)");
    talk.seen().expect("2 Drop production (allow once)");
    talk.seen().expect("the number of an option, n no, d details > ");
    talk.type("y\n");
    talk.seen().expect("type a number");
    talk.type("2\n");
    talk.seen().expect("done, with receipt_");

    assertThat(answers()).contains("production").doesNotContain("staging");
    assertThat(lastRequest().at("/response/answers/0/option_id").asText()).isEqualTo("production");
  }

  @Test
  void anActionThatIsNotKnownExactlySaysSoAndIsAllowedThisOnceOnly() throws Exception {
    play(
        "untold",
        ask("'title':'rm -rf build','kind':'execute','content':[],'locations':[]", ONCE, NO),
        "?",
        call("tool_call_update", "completed", ",'title':'rm -rf build'"));
    talk.seen().expect("not known exactly: The agent does not say exactly which command runs.");
    talk.seen().expect("rm -rf build");
    assertThat(talk.seen().until(PROMPT)).contains("y once, n no, d ");
    talk.type("y\n");
    talk.seen().expect("done, with receipt_");

    assertThat(talk.hosted().approvalOfLastTask().at("/quorum_proof/not_exact").asBoolean())
        .isTrue();
  }

  @Tag("slow")
  @Test
  void anAgentThatOffersOnlyAlwaysIsAnsweredByItsOptionOnlyIfThePersonNamesIt() throws Exception {
    play(
        "always",
        ask(
            "'kind':'execute','rawInput':{'command':'ls'}",
            "{'optionId':'ever','name':'Always allow','kind':'allow_always'}",
            NO),
        "?",
        call("tool_call_update", "completed", ",'rawInput':{'command':'ls'}"));
    talk.seen().expect("1 Always allow (allow always: the agent may not ask again)");
    talk.seen().expect("the number of an option");
    talk.type("1\n");
    talk.seen().expect("done, with receipt_");
    assertThat(answers()).contains("ever");
  }

  @Tag("slow")
  @Test
  void aCommandThatIsRepeatedWithATimeoutIsNotAskedForTwice() throws Exception {
    String input = ",'rawInput':{'command':'make','timeout':60}";
    String[] frames = {
      call("tool_call", "pending", input),
      ask("'kind':'execute','rawInput':{'command':'make'}", ONCE, NO),
      "?",
      call("tool_call_update", "completed", input)
    };
    play("first", frames);
    talk.seen().expect("timeout: 60");
    talk.seen().expect(PROMPT);
    talk.type("s\n");
    talk.seen().expect("done, with receipt_");
    play("again", frames);
    assertThat(talk.seen().until("done, with receipt_")).doesNotContain(PROMPT);
  }
}
