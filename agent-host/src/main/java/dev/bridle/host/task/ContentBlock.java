package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.rpc.RawJson;
import java.util.Base64;
import java.util.Optional;

/**
 * A content block of an agent's message or tool call that is kept as what it is: a text, a link, an
 * embedded resource, an image or audio.
 */
final class ContentBlock {
  private static final int MAX_NAME = 1000;

  /** Links of data may be as long as what they hold. */
  private static final int MAX_URI = 4096;

  private final JsonNode block;

  /** Reads a block; its members may be missing, or of any type. */
  ContentBlock(JsonNode block) {
    this.block = block;
  }

  /** Reads a block as it was spelled; one that can't be read has no members. */
  static ContentBlock of(RawJson spelled) {
    return new ContentBlock(spelled.jsonIfReadable());
  }

  private String type() {
    return text("type");
  }

  /** Returns its text where it is one. */
  Optional<String> textBlock() {
    return type().equals("text") && block.path("text").isTextual()
        ? Optional.of(block.get("text").textValue())
        : Optional.empty();
  }

  /**
   * Returns what is kept of it.
   *
   * @param most how many UTF-16 units of its text are kept
   */
  ObjectNode kept(int most) {
    ObjectNode kept = JsonNodeFactory.instance.objectNode().put("type", cut(type()));
    switch (type()) {
      case "text" -> CutText.of(text("text"), most).putInto(kept);
      case "resource_link" -> {
        kept.put("uri", KeptText.of(text("uri"), MAX_URI));
        put(kept, "name", text("name"));
        put(kept, "title", text("title"));
        put(kept, "mime_type", text("mimeType"));
        put(kept, "description", text("description"));
        if (block.path("size").isIntegralNumber() && block.path("size").canConvertToLong()) {
          kept.put("size", block.get("size").longValue());
        }
      }
      case "resource" -> {
        kept.put("uri", KeptText.of(resource("uri"), MAX_URI));
        put(kept, "mime_type", resource("mimeType"));
        if (block.path("resource").path("text").isTextual()) {
          CutText.of(resource("text"), most).putInto(kept);
        } else {
          putBytes(kept);
        }
      }
      case "image", "audio" -> {
        put(kept, "mime_type", text("mimeType"));
        put(kept, "uri", text("uri"));
        putBytes(kept);
      }
      default ->
          kept.put("bytes", Bounded.bytes(block))
              .put("sha256", Sha256.PREFIX + Sha256.hex(block.toString()));
    }
    return kept;
  }

  private void putBytes(ObjectNode kept) {
    bytes()
        .ifPresentOrElse(
            found ->
                kept.put("bytes", found.length())
                    .put("sha256", Sha256.PREFIX + Sha256.hex(found.content())),
            () -> kept.put("unreadable", true));
  }

  /** Returns the bytes that it holds; empty if it holds none, or what is no Base64. */
  Optional<AttachedBytes> bytes() {
    boolean isResource = type().equals("resource");
    String data = isResource ? resource("blob") : text("data");
    try {
      return data.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new AttachedBytes(
                  isResource ? resource("mimeType") : text("mimeType"),
                  Base64.getMimeDecoder().decode(data)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns it as a part of a text that people read, such as {@code [name](uri)}. */
  String readable() {
    return switch (type()) {
      case "text" -> text("text");
      case "resource_link" -> link(first(text("title"), text("name"), text("uri")), text("uri"));
      case "resource" -> link(resource("uri"), resource("uri"));
      default -> "[" + described() + "]";
    };
  }

  private String described() {
    String mimeType = text("mimeType");
    String what = cut(first(type(), "content")) + (mimeType.isEmpty() ? "" : " " + cut(mimeType));
    return bytes().map(found -> what + ", " + found.length() + " bytes").orElse(what);
  }

  private static String link(String name, String uri) {
    return "[" + cut(name) + "](" + KeptText.of(uri, MAX_URI) + ")";
  }

  private static String first(String... texts) {
    for (String text : texts) {
      if (!text.isEmpty()) {
        return text;
      }
    }
    return "";
  }

  private static void put(ObjectNode kept, String name, String text) {
    if (!text.isEmpty()) {
      kept.put(name, cut(text));
    }
  }

  private String text(String member) {
    return block.path(member).isTextual() ? block.get(member).textValue() : "";
  }

  private String resource(String member) {
    JsonNode found = block.path("resource").path(member);
    return found.isTextual() ? found.textValue() : "";
  }

  private static String cut(String text) {
    return KeptText.of(text, MAX_NAME);
  }
}
