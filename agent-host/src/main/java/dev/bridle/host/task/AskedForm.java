package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Reply;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.worker.TaskContext;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A form of an agent as a question of its task: the answer is a JSON object with the form's fields,
 * and any other answer declines.
 */
final class AskedForm {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MAX_MESSAGE = 10_000;
  private static final int MAX_SCHEMA = 64 << 10;

  private AskedForm() {}

  /** Asks the task's user, and returns what the agent is answered. */
  static Reply fill(TaskContext task, Question.Form form, String key, Duration hold) {
    String message = form.message().isBlank() ? "The agent asks for input." : form.message();
    if (message.length() > MAX_MESSAGE || form.schema().length() > MAX_SCHEMA) {
      return new Reply.Declined();
    }
    Optional<JsonNode> schema = schema(form);
    if (schema.isEmpty()) {
      return new Reply.Declined();
    }
    dev.bridle.worker.Question question =
        dev.bridle.worker.Question.of(message).withSchema(schema.get()).holding(hold);
    return filled(task.requestInput(key, question))
        .map(fields -> (Reply) new Reply.Filled(fields))
        .orElseGet(Reply.Declined::new);
  }

  private static Optional<JsonNode> schema(Question.Form form) {
    try {
      return Optional.of(form.schema().json()).filter(JsonNode::isObject);
    } catch (BadJson e) {
      return Optional.empty();
    }
  }

  private static Optional<ObjectNode> filled(Message answer) {
    return answer.getPartsList().stream()
        .filter(Part::hasJson)
        .findFirst()
        .flatMap(part -> object(part.getJson().getValue().toByteArray()));
  }

  private static Optional<ObjectNode> object(byte[] json) {
    try {
      JsonNode read = MAPPER.readTree(json);
      return read instanceof ObjectNode fields ? Optional.of(fields) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
