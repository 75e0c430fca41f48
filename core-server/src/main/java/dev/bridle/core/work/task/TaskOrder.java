package dev.bridle.core.work.task;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import java.util.Optional;

/**
 * What a part of the core wants made: a text, as a task or a message.
 *
 * @param workspace where it belongs
 * @param persona what its task runs as; empty: as its session's
 * @param session where it goes; empty: into a session of its own
 * @param text what it says
 * @param metadata what is known of it, as a JSON object
 */
public record TaskOrder(
    String workspace,
    Optional<String> persona,
    Optional<String> session,
    String text,
    ByteString metadata) {

  /** Returns what it says, as a user's message. */
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
