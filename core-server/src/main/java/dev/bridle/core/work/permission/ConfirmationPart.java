package dev.bridle.core.work.permission;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Parses the answer to a permission request from the JSON part of a message. */
final class ConfirmationPart {
  // Numbers keep their spelling.
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final int MAX_ID = 128;

  private final JsonNode object;

  private ConfirmationPart(JsonNode object) {
    this.object = object;
  }

  /** Returns the answer; its request id is empty if the message names none. */
  static RespondPermissionRequestRequest of(MessageInput message) {
    List<Part> json = message.getPartsList().stream().filter(Part::hasJson).toList();
    if (json.size() != 1) {
      throw ProtocolException.invalid(
          "message.parts", "must hold one JSON part with the members of an answer");
    }
    if (!HiddenContent.isPublic(json.get(0).getJson().getVisibility())) {
      throw ProtocolException.invalid(
          "message.parts",
          "must be a public JSON part: the answer becomes part of the permission request");
    }
    try {
      JsonNode value = MAPPER.readTree(json.get(0).getJson().getValue().toByteArray());
      if (!value.isObject()) {
        throw bad("", "an object");
      }
      return new ConfirmationPart(value).answer();
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }

  private RespondPermissionRequestRequest answer() {
    RespondPermissionRequestRequest.Builder said = RespondPermissionRequestRequest.newBuilder();
    JsonNode approved = member("approved");
    if (!approved.isMissingNode()) {
      if (!approved.isBoolean()) {
        throw bad("approved", "true or false");
      }
      said.setApproved(approved.booleanValue());
    }
    text("request_id", MAX_ID, said::setRequestId);
    text("outcome", MAX_ID, outcome -> said.setOutcome(known(outcome)));
    text("reviewer", 256, said::setReviewer);
    text("reason", 4096, said::setReason);
    text("content_hash", MAX_ID, said::setContentHash);
    text("option_id", MAX_ID, said::setOptionId);
    text("grant", MAX_ID, said::setGrant);
    json("answer", 65_536).ifPresent(said::setAnswer);
    if (!member("arguments").isMissingNode() && !member("arguments").isObject()) {
      throw bad("arguments", "an object");
    }
    json("arguments", ModifiedAction.MAX_CONTENT).ifPresent(said::setArguments);
    if (member("metadata").isObject()) {
      json("metadata", 16_384).ifPresent(said::setMetadata);
    }
    return said.build();
  }

  private static String known(String outcome) {
    return switch (outcome) {
      case "approved", "approve", "selected", "denied", "deny", "rejected" -> outcome;
      default ->
          throw bad("outcome", "one of: approved, approve, selected, denied, deny, rejected");
    };
  }

  private void text(String name, int max, Consumer<String> to) {
    JsonNode value = member(name);
    if (value.isMissingNode()) {
      return;
    }
    if (!value.isTextual() || value.textValue().length() > max) {
      throw bad(name, "a string of at most " + max + " characters");
    }
    to.accept(value.textValue());
  }

  private Optional<ByteString> json(String name, int max) {
    JsonNode value = member(name);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    ByteString spelled = ByteString.copyFromUtf8(value.toString());
    if (spelled.size() > max) {
      throw bad(name, "at most " + max + " bytes long");
    }
    return Optional.of(spelled);
  }

  /** Returns a member; null counts as absent. */
  private JsonNode member(String name) {
    JsonNode value = object.path(name);
    return value.isNull() ? object.path("") : value;
  }

  private static ProtocolException bad(String name, String expected) {
    return ProtocolException.invalid(
        name.isEmpty() ? "message.parts.value" : "message.parts.value." + name,
        "must be " + expected);
  }
}
