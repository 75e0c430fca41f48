package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Question.Option;
import dev.bridle.host.acp.Question.OptionKind;
import dev.bridle.host.acp.Reply;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.worker.TaskContext;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many approvals a runtime wants: nobody is asked for fewer. */
final class WantedApproversTest {
  private static final List<Option> OPTIONS =
      List.of(
          new Option("yes", "Yes", OptionKind.ALLOW_ONCE),
          new Option("no", "No", OptionKind.REJECT_ONCE));

  /** Fails where a person would be asked. */
  private final TaskContext nobody =
      (TaskContext)
          Proxy.newProxyInstance(
              WantedApproversTest.class.getClassLoader(),
              new Class<?>[] {TaskContext.class},
              (self, method, arguments) -> {
                throw new AssertionError("asked by " + method.getName());
              });

  @ParameterizedTest
  @CsvSource({"0,1", "1,1", "2,2", "16,16", "null,1"})
  void aNumberThatCanBeHadCounts(String wanted, int approvers) throws IOException {
    assertThat(asked(wanted, OPTIONS).approversRequired()).hasValue(approvers);
  }

  @Test
  void withoutANumberOneApprovalWillDo() throws IOException {
    Question.Permission asked =
        new Question.Permission(
            new ToolCall("call-1", Map.of()),
            Optional.empty(),
            OPTIONS,
            RawJson.of(new ObjectMapper().readTree("{}")),
            true);

    assertThat(asked.approversRequired()).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"17", "3000000000", "-1", "2.0", "1.5", "\"2\"", "true", "[2]", "{}"})
  void whatCantBeHadIsRefusedAndNobodyIsAsked(String wanted) throws IOException {
    PermissionAnswers answers =
        new PermissionAnswers(
            nobody,
            new AllowedActions(nobody),
            new AskedCalls(RequestTraits.NONE, Path.of("/project")),
            new AskingRules(true, false, Duration.ofMinutes(1), false, false, RequestTraits.NONE));

    assertThat(asked(wanted, OPTIONS).approversRequired()).isEmpty();
    assertThat(answers.ask(asked(wanted, OPTIONS), "k", Optional.empty()).reply())
        .isEqualTo(new Reply.Chosen("no"));
    assertThat(answers.takeRefusals())
        .singleElement()
        .asString()
        .contains("approvers_required must be a whole number of at most 16");
    assertThat(answers.ask(asked(wanted, List.of()), "k", Optional.empty()).reply())
        .isInstanceOf(Reply.Denied.class);
  }

  private static Question.Permission asked(String wanted, List<Option> options) throws IOException {
    return new Question.Permission(
        new ToolCall("call-1", Map.of()),
        Optional.empty(),
        options,
        RawJson.of(
            new ObjectMapper()
                .readTree("{\"approvalRequest\":{\"approvers_required\":" + wanted + "}}")),
        true);
  }
}
