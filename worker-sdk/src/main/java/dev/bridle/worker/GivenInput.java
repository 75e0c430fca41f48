package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.task.v1.TaskInput;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The input of a task: a message or a JSON object. */
public final class GivenInput {
  private final TaskInput input;

  /** Creates the input of a task. */
  public GivenInput(TaskInput input) {
    this.input = input;
  }

  /**
   * Returns the text of the message: its text parts in order, joined by line breaks; empty if there
   * is no text part.
   */
  public static Optional<String> textOf(Message message) {
    List<String> texts =
        message.getPartsList().stream()
            .filter(Part::hasText)
            .map(part -> part.getText().getText())
            .toList();
    return texts.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", texts));
  }

  /** Returns the message; empty if the input is a JSON object. */
  public Optional<Message> message() {
    return input.hasMessage() ? Optional.of(input.getMessage()) : Optional.empty();
  }

  /** Returns the JSON object; empty if the input is a message. */
  public Optional<JsonNode> json() {
    return input.hasJson() ? Optional.of(Json.read(input.getJson())) : Optional.empty();
  }

  /** Returns the text of the message, or the string member `text` of the JSON object. */
  public Optional<String> text() {
    return message()
        .flatMap(GivenInput::textOf)
        .or(
            () ->
                json()
                    .map(json -> json.path("text"))
                    .filter(JsonNode::isTextual)
                    .map(JsonNode::textValue));
  }

  /** Returns the ids of the artifacts that the message refers to, in order. */
  public List<String> artifactIds() {
    return input.getMessage().getPartsList().stream()
        .filter(Part::hasArtifactRef)
        .map(part -> part.getArtifactRef().getArtifactId())
        .collect(Collectors.toUnmodifiableList());
  }
}
