package dev.bridle.core.work.task;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import java.util.Optional;

/**
 * A task or message that another feature creates from a text.
 *
 * @param workspace the workspace
 * @param persona the persona of the task; empty: the session's
 * @param session the session; empty: a new one
 * @param text the text
 * @param metadata metadata, as a JSON object
 * @param submitter the actor who has the feature create it, as far as that is known; empty: the
 *     current caller
 */
public record TaskSpec(
    String workspace,
    Optional<String> persona,
    Optional<String> session,
    String text,
    ByteString metadata,
    Optional<String> submitter) {

  /** Returns a spec of the current caller. */
  public static TaskSpec of(
      String workspace,
      Optional<String> persona,
      Optional<String> session,
      String text,
      ByteString metadata) {
    return new TaskSpec(workspace, persona, session, text, metadata, Optional.empty());
  }

  /** Returns a spec of an actor; of the current caller if the name is empty. */
  public TaskSpec by(String actor) {
    return new TaskSpec(
        workspace,
        persona,
        session,
        text,
        metadata,
        Optional.of(actor).filter(name -> !name.isEmpty()));
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
