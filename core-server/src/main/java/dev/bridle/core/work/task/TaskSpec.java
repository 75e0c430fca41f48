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
 */
public record TaskSpec(
    String workspace,
    Optional<String> persona,
    Optional<String> session,
    String text,
    ByteString metadata) {

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
