package dev.bridle.core.work.permission;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionResponse;
import dev.bridle.task.v1.Task;
import java.io.IOException;
import java.util.Optional;

/**
 * The action of a permission request with other arguments: an object that is a member of its
 * content is replaced. All else of the content stays as it is spelled.
 */
public final class ModifiedAction {
  /** The most bytes that the content of an action may have. */
  static final int MAX_CONTENT = 262_144;

  private static final JsonFactory FACTORY = new JsonFactory();

  private ModifiedAction() {}

  /** Where an object is in a content: from its first byte to the one after its last. */
  private record Span(int from, int to) {}

  /** Returns a member of a content as it is spelled; empty if there is none that is an object. */
  static Optional<ByteString> arguments(ByteString content, String member) {
    return find(content, member).map(span -> content.substring(span.from(), span.to()));
  }

  /** Returns the content of a request's action with other arguments. */
  static ByteString content(PermissionRequest request, ByteString arguments) {
    ByteString content = request.getAction().getContent();
    Span span =
        find(content, request.getRequest().getArgumentsMember())
            .orElseThrow(() -> new IllegalStateException("an action has lost its arguments"));
    return content.substring(0, span.from()).concat(arguments).concat(content.substring(span.to()));
  }

  /**
   * Returns a request's action with other arguments, and with the fingerprint of the one without.
   * The files that the action edits are left out: the worker named those of the arguments that it
   * asked for.
   */
  static PermissionAction of(PermissionRequest request, ByteString arguments) {
    return request.getAction().toBuilder()
        .setContent(content(request, arguments))
        .clearEditedFiles()
        .build();
  }

  /** Returns the fingerprint of a request's action with other arguments. */
  static String fingerprint(PermissionRequest request, ByteString arguments, Task task) {
    return ActionHashes.fingerprint(of(request, arguments), task);
  }

  /** Returns whether the fingerprint that a request was approved with is that of its arguments. */
  public static boolean isApproved(PermissionRequest request, Task task) {
    PermissionResponse response = request.getResponse();
    return request.getRequest().getAcceptsModified()
        && response.hasArguments()
        && find(request.getAction().getContent(), request.getRequest().getArgumentsMember())
            .isPresent()
        && fingerprint(request, response.getArguments(), task).equals(response.getFingerprint());
  }

  private static Optional<Span> find(ByteString content, String member) {
    try (JsonParser parser = FACTORY.createParser(content.toByteArray())) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean named = parser.currentName().equals(member);
        if (parser.nextToken() == JsonToken.START_OBJECT && named) {
          int from = (int) parser.currentLocation().getByteOffset() - 1;
          parser.skipChildren();
          return Optional.of(new Span(from, (int) parser.currentLocation().getByteOffset()));
        }
        parser.skipChildren();
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }
}
