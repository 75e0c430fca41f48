package dev.bridle.worker.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.worker.GivenInput;
import dev.bridle.worker.HostTool;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The parsed input of the demo agent.
 *
 * @param texts the texts to count, in order
 * @param artifactIds the artifacts to count after them
 * @param ask whom to ask before counting, whose answers are counted last
 * @param act the action to perform before counting, which needs a permission
 * @param hostTool the client's tool to run before counting, whose output is counted too
 * @param use the usage to report first
 * @param delayMillis how long to work before counting, 0 to 60,000 ms
 */
record DemoInput(
    List<String> texts,
    List<String> artifactIds,
    DemoAsk ask,
    Optional<DemoAct> act,
    Optional<HostTool> hostTool,
    Optional<Usage> use,
    int delayMillis) {
  static final int MAX_DELAY_MILLIS = 60_000;
  private static final String ASK_PREFIX = "ask:";

  static DemoInput of(GivenInput input) throws TaskFailure {
    Optional<Message> message = input.message();
    DemoInput given =
        message.isPresent()
            ? ofMessage(message.get(), input.artifactIds())
            : ofJson(input.json().orElseThrow(DemoInput::nothing));
    boolean text = given.texts.stream().anyMatch(each -> !each.isBlank());
    boolean asks = given.ask.isAny() || given.act.isPresent() || given.hostTool.isPresent();
    if (!text && given.artifactIds.isEmpty() && !asks) {
      throw nothing();
    }
    return given;
  }

  private static TaskFailure nothing() {
    return new TaskFailure(
        "no_input",
        "The input has no text and no artifact; expected a text or artifact_ref part, or a JSON"
            + " object with `text`, `artifact_id`, `ask`, `prompt`, `act` or `host_tool`.");
  }

  private static DemoInput ofMessage(Message message, List<String> artifactIds) throws TaskFailure {
    List<String> texts =
        message.getPartsList().stream()
            .filter(Part::hasText)
            .map(part -> part.getText().getText())
            .toList();
    String text = String.join("\n", texts);
    if (!text.startsWith(ASK_PREFIX)) {
      return new DemoInput(
          texts,
          artifactIds,
          DemoAsk.NOBODY,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          0);
    }
    String question = text.substring(ASK_PREFIX.length()).strip();
    return new DemoInput(
        List.of(),
        artifactIds,
        DemoAsk.user(asked("the text after `ask:`", question)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0);
  }

  private static DemoInput ofJson(JsonNode json) throws TaskFailure {
    List<String> texts = new ArrayList<>();
    string(json, "text").ifPresent(texts::add);
    List<String> artifacts = new ArrayList<>();
    string(json, "artifact_id").ifPresent(artifacts::add);
    DemoAsk ask = new DemoAsk(question(json, "ask"), question(json, "prompt"));
    return new DemoInput(
        List.copyOf(texts),
        List.copyOf(artifacts),
        ask,
        DemoAct.of(json.path("act")),
        DemoHost.of(json.path("host_tool")),
        DemoUse.of(json.path("use")),
        delay(json));
  }

  private static Optional<String> question(JsonNode json, String member) throws TaskFailure {
    Optional<String> question = string(json, member);
    return question.isPresent()
        ? Optional.of(asked("`" + member + "`", question.get()))
        : Optional.empty();
  }

  private static String asked(String member, String question) throws TaskFailure {
    if (question.isBlank()) {
      throw bad(member + " is empty, expected a question");
    }
    return question;
  }

  private static Optional<String> string(JsonNode json, String member) throws TaskFailure {
    JsonNode value = json.path(member);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw bad("`" + member + "` is " + shown(value) + ", expected a string");
    }
    return Optional.of(value.textValue());
  }

  private static int delay(JsonNode json) throws TaskFailure {
    JsonNode value = json.path("delay_ms");
    if (value.isMissingNode() || value.isNull()) {
      return 0;
    }
    if (!value.isInt() || value.intValue() < 0 || value.intValue() > MAX_DELAY_MILLIS) {
      throw bad(
          "`delay_ms` is "
              + shown(value)
              + ", expected a whole number from 0 to "
              + MAX_DELAY_MILLIS);
    }
    return value.intValue();
  }

  static TaskFailure bad(String what) {
    return new TaskFailure("bad_input", what + ".");
  }

  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }
}
