package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * A question to the task's user.
 *
 * @param prompt the question, for a person
 * @param schema the JSON Schema of the answer, where one is expected
 * @param hold how long the handler's thread stays for the answer, at most 10 minutes; after that,
 *     or at once where it is zero, the handler ends and runs again when the answer is there
 */
public record Question(String prompt, Optional<JsonNode> schema, Duration hold) {
  /** Returns a question for which the handler ends and runs again. */
  public static Question of(String prompt) {
    return new Question(prompt, Optional.empty(), Duration.ZERO);
  }

  /** Returns this question with the JSON Schema of its answer. */
  public Question withSchema(JsonNode newSchema) {
    return new Question(prompt, Optional.of(newSchema), hold);
  }

  /** Returns this question, for whose answer the handler's thread stays that long. */
  public Question holding(Duration newHold) {
    return new Question(prompt, schema, newHold);
  }
}
