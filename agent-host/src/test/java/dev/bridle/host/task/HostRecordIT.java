package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.bridle.message.v1.Role;
import dev.bridle.worker.SaidMessage;
import dev.bridle.worker.TaskFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded of an agent that fails, ends, or speaks when nobody expects it. */
@Timeout(180)
final class HostRecordIT {
  @TempDir private Path folder;

  @Test
  void whatAnAgentWroteToStderrAndHowItEndedStandInTheFailure() throws Exception {
    String script =
        """
        prompted
        echo 'this is no message'
        echo "Trace: no key ${TEST_API_KEY}" >&2
        echo 'Authorization: Bearer abcdefgh12345678' >&2
        exit 3
        """;
    try (ShellHost host = new ShellHost(folder, Map.of("TEST_API_KEY", "a short phrase"), script)) {
      TaskFailure failure = catchThrowableOfType(TaskFailure.class, () -> host.run("hi"));

      assertThat(failure.code()).isEqualTo("agent_lost");
      assertThat(failure)
          .hasMessageContaining("exit code 3")
          .hasMessageContaining("lines that were no messages: 1")
          .hasMessageContaining("Trace: no key [secret]")
          .hasMessageContaining("Authorization: [secret]");
      assertThat(host.events.toString()).doesNotContain("a short phrase", "abcdefgh12345678");
      assertThat(host.events("vendor.agent_host.restarted"))
          .isNotEmpty()
          .allSatisfy(
              lost -> {
                assertThat(lost.get("exit_code").intValue()).isEqualTo(3);
                assertThat(lost.get("stderr").textValue()).contains("Trace: no key [secret]");
                assertThat(lost.get("noise_lines").intValue()).isEqualTo(1);
                assertThat(lost.get("noise").textValue()).isEqualTo("this is no message");
              });
    }
  }

  @Test
  void anAgentThatEndsBeforeItIntroducesItselfSaysWhy() throws Exception {
    try (ShellHost host = new ShellHost(folder, "")) {
      Files.writeString(folder.resolve("agent.sh"), "echo 'no such module' >&2; exit 7");

      assertThatThrownBy(() -> host.run("hi"))
          .hasFieldOrPropertyWithValue("code", "agent_start")
          .hasMessageContaining("exit code 7")
          .hasMessageContaining("no such module");
    }
  }

  @Test
  void aStopReasonOfTheAgentsChoiceIsNoCode() throws Exception {
    String script =
        """
        prompted; result 3 '{"stopReason":"all_denied\\\\u202e"}'
        prompted; result 4 '{"stopReason":"agent_login"}'
        prompted; result 5 '{"stopReason":"max_tokens"}'
        prompted; result 6 '{"stopReason":"end_turn","_meta":{"harn":{"terminal":{"kind":"policy"}}}}'
        prompted; result 7 '{"stopReason":"end_turn","_meta":{"harn":{"terminal":{"kind":"natural"}}}}'
        read -r line
        """;
    try (ShellHost host = new ShellHost(folder, script)) {
      assertThatThrownBy(() -> host.run("1"))
          .hasFieldOrPropertyWithValue("code", "agent_stopped")
          .hasMessage("The agent stopped before it was done: all_denied");
      assertThatThrownBy(() -> host.run("2"))
          .hasFieldOrPropertyWithValue("code", "agent_stopped")
          .hasMessage("The agent stopped before it was done: agent_login");
      assertThatThrownBy(() -> host.run("3")).hasFieldOrPropertyWithValue("code", "max_tokens");
      assertThatThrownBy(() -> host.run("4"))
          .hasFieldOrPropertyWithValue("code", "agent_stopped")
          .hasMessage("The agent stopped before it was done: end_turn (policy)");
      var unused = host.run("5");
    }
  }

  @Test
  void anAgentThatAnsweredWithAnErrorHasNotForgotten() throws Exception {
    String script =
        """
        prompted; failed 3
        prompted; result 4 '{"stopReason":"end_turn"}'
        read -r line
        """;
    try (ShellHost host = new ShellHost(folder, script)) {
      assertThatThrownBy(() -> host.run("first"))
          .hasFieldOrPropertyWithValue("code", "agent_error");
      host.transcript.add(new SaidMessage(ShellHost.message(Role.ROLE_USER, "first")));

      var unused = host.run("second");

      assertThat(host.prompts()).containsExactly("first", "second");
    }
  }

  @Test
  void whatIsReportedBetweenTwoTasksIsRecordedWithTheNext() throws Exception {
    String script =
        """
        prompted; say one; result 3 '{"stopReason":"end_turn"}'
        while ! [ -e go ]; do sleep 0.01; done
        say between
        update '{"sessionUpdate":"tool_call","toolCallId":"c1","title":"look","kind":"read",\
        "status":"completed","rawOutput":"seen"}'
        update '{"sessionUpdate":"current_mode_update","currentModeId":"plan"}'
        touch gone
        prompted; say two; result 4 '{"stopReason":"end_turn"}'
        read -r line
        """;
    try (ShellHost host = new ShellHost(folder, script)) {
      assertThat(host.run("first").summary()).isEqualTo("one");
      host.create("go");
      await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(folder.resolve("gone")));
      host.events.clear();

      assertThat(host.run("second").summary()).isEqualTo("two");

      assertThat(host.events(HostEvents.TEXT).get(0))
          .hasToString(
              "{\"message_id\":\"\",\"offset\":0,\"text\":\"between\",\"between_tasks\":true}");
      assertThat(host.events(HostEvents.TOOL_RESULT).get(0).at("/output/0/text").textValue())
          .isEqualTo("seen");
      assertThat(host.events("vendor.agent_host.mode").get(0).get("between_tasks").booleanValue())
          .isTrue();
      assertThat(host.messages).containsExactly("one", "between", "two");
    }
  }

  @Test
  void whatTheUserSaysAsATurnFailsIsTheNextPromptOfTheTask() throws Exception {
    String script =
        """
        prompted; touch asked
        while ! [ -e go ]; do sleep 0.01; done
        failed 3
        prompted; say done; result 4 '{"stopReason":"end_turn"}'
        read -r line
        """;
    try (ShellHost host = new ShellHost(folder, script)) {
      onceAsked(host, () -> host.say("use the other file"));

      assertThat(host.run("first").summary()).isEqualTo("done");

      assertThat(host.prompts()).containsExactly("first", "use the other file");
      assertThat(host.events("vendor.agent_host.turn_failed").get(0).get("reason").textValue())
          .contains("broken");
    }
  }

  @Test
  void whatTheUserSaysAsATaskFailsIsHeardWithTheNextPrompt() throws Exception {
    String script =
        """
        prompted; touch asked
        while ! [ -e go ]; do sleep 0.01; done
        result 3 '{"stopReason":"refusal"}'
        prompted; result 4 '{"stopReason":"end_turn"}'
        read -r line
        """;
    try (ShellHost host = new ShellHost(folder, script)) {
      // The task has not been told of it when its turn ends.
      onceAsked(host, () -> host.sent.add(ShellHost.sent("and be quick")));

      assertThatThrownBy(() -> host.run("first")).hasFieldOrPropertyWithValue("code", "refusal");
      var unused = host.run("second");

      assertThat(host.prompts().get(0)).isEqualTo("first");
      assertThat(host.prompts().get(1)).contains("and be quick").endsWith("second");
    }
  }

  private void onceAsked(ShellHost host, Runnable action) {
    Thread thread =
        new Thread(
            () -> {
              await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(asked()));
              action.run();
              try {
                host.create("go");
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private Path asked() {
    return folder.resolve("asked");
  }
}
