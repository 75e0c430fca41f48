package dev.bridle.core.work.task;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A task or message that another feature creates from a text.
 *
 * @param workspace the workspace
 * @param persona the persona of the task; empty: the session's
 * @param session the session; empty: a new one
 * @param text the text
 * @param metadata metadata, as a JSON object
 * @param submitters the actors who have the feature create it, as far as they are known; empty: the
 *     current caller
 */
public record TaskSpec(
    String workspace,
    Optional<String> persona,
    Optional<String> session,
    String text,
    ByteString metadata,
    List<String> submitters) {
  /** Copies the submitters. */
  public TaskSpec {
    submitters = List.copyOf(submitters);
  }

  /** Returns a spec of the current caller. */
  public static TaskSpec of(
      String workspace,
      Optional<String> persona,
      Optional<String> session,
      String text,
      ByteString metadata) {
    return new TaskSpec(workspace, persona, session, text, metadata, List.of());
  }

  /**
   * Returns a spec of several actors.
   *
   * @param maker the first one; empty if it is not known, and then it is one of the current caller
   * @param shapers the others, perhaps with the first one
   */
  public TaskSpec by(String maker, List<String> shapers) {
    List<String> all =
        Stream.concat(Stream.of(maker), shapers.stream())
            .filter(name -> !name.isEmpty())
            .distinct()
            .toList();
    return new TaskSpec(workspace, persona, session, text, metadata, all);
  }

  /** Returns the text as a message of the role {@code user}. */
  public MessageInput message() {
    return MessageInput.newBuilder()
        .setRole(Role.ROLE_USER)
        .addParts(
            Part.newBuilder()
                .setText(
                    TextPart.newBuilder()
                        .setText(text)
                        .setVisibility(Visibility.VISIBILITY_PUBLIC)))
        .setMetadata(metadata)
        .build();
  }
}
