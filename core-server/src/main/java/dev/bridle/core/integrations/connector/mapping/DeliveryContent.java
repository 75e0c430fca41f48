package dev.bridle.core.integrations.connector.mapping;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.core.kernel.validate.WellFormedText;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The content of a delivery: its headers, and its body as JSON if it is JSON or a form. A form with
 * a JSON member {@code payload} is read as that JSON.
 */
public final class DeliveryContent {
  private static final int MAX_DEPTH = 64;
  private static final int MAX_MEMBERS = 1000;
  private static final String PAYLOAD = "payload";
  private static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final byte[] body;
  private final Map<String, String> headers;
  private final JsonNode tree;

  private DeliveryContent(byte[] body, Map<String, String> headers, JsonNode tree) {
    this.body = body.clone();
    this.headers = Map.copyOf(headers);
    this.tree = tree;
  }

  /**
   * Parses a delivery.
   *
   * @param headers its headers, by their names in lower case
   */
  public static DeliveryContent of(byte[] body, Map<String, String> headers) {
    String type = headers.getOrDefault("content-type", "").toLowerCase(Locale.ROOT);
    JsonNode tree =
        type.startsWith("application/x-www-form-urlencoded")
            ? form(new String(body, StandardCharsets.UTF_8))
            : json(body);
    return new DeliveryContent(body, headers, tree);
  }

  /**
   * Returns the headers of a delivery by their names in lower case; values of the same name are
   * joined by commas.
   */
  public static Map<String, String> joined(List<IngressHeader> headers) {
    Map<String, String> joined = new LinkedHashMap<>();
    for (IngressHeader header : headers) {
      joined.merge(
          header.getName().toLowerCase(Locale.ROOT),
          header.getValue(),
          (one, other) -> one + "," + other);
    }
    return joined;
  }

  /** Returns the value at a pointer into the body, as text; empty if absent or null. */
  public Optional<String> at(JsonPointer pointer) {
    JsonNode found = tree.at(pointer);
    if (found.isMissingNode() || found.isNull()) {
      return Optional.empty();
    }
    return Optional.of(found.isValueNode() ? found.asText() : found.toString());
  }

  /** Returns a header's value. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /** Returns the whole body as text. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  private static JsonNode json(byte[] body) {
    try {
      return Optional.ofNullable(JSON.readTree(body))
          .filter(WellFormedText::isWellFormedJson)
          .orElse(MissingNode.getInstance());
    } catch (IOException e) {
      return MissingNode.getInstance(); // Other bodies are text without members.
    }
  }

  private static JsonNode form(String body) {
    ObjectNode form = JSON.createObjectNode();
    for (String pair : body.split("&", MAX_MEMBERS)) {
      int at = pair.indexOf('=');
      if (at > 0) {
        try {
          form.put(decoded(pair.substring(0, at)), decoded(pair.substring(at + 1)));
        } catch (IllegalArgumentException e) {
          return MissingNode.getInstance();
        }
      }
    }
    JsonNode payload = json(form.path(PAYLOAD).asText().getBytes(StandardCharsets.UTF_8));
    return payload.isContainerNode() ? payload : form;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
