package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * A question to the task's user.
 *
 * @param prompt the question, for a person
 * @param schema the JSON Schema of the answer, if any
 * @param hold how long the handler's thread waits for the answer, at most 24 hours; after that, or
 *     at once if zero, the handler ends and runs again when the answer is available
 */
public record Question(String prompt, Optional<JsonNode> schema, Duration hold) {
  /**
   * Returns a question with a hold of zero: the handler ends and runs again when the answer is
   * available.
   */
  public static Question of(String prompt) {
    return new Question(prompt, Optional.empty(), Duration.ZERO);
  }

  /** Returns a copy with the JSON Schema of the answer. */
  public Question withSchema(JsonNode newSchema) {
    return new Question(prompt, Optional.of(newSchema), hold);
  }

  /** Returns a copy whose answer the handler's thread waits for up to the given time. */
  public Question holding(Duration newHold) {
    return new Question(prompt, schema, newHold);
  }
}
