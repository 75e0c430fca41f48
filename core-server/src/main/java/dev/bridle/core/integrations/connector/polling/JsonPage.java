package dev.bridle.core.integrations.connector.polling;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.PollingCursor;
import dev.bridle.core.kernel.validate.WellFormedText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses JSON responses. */
final class JsonPage {
  private static final int MAX_DEPTH = 64;
  private static final int LONGEST_CURSOR = 1024;
  private static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(1000)
                          .build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonPage() {}

  static PolledPage read(ConnectorPolling polling, Optional<String> sent, byte[] body) {
    JsonNode answer = tree(body);
    List<JsonNode> found = items(polling, answer);
    List<PolledItem> items = new ArrayList<>();
    for (JsonNode item : found) {
      Optional<String> id =
          polling.hasItemId()
              ? text(item.at(JsonPointer.compile(polling.getItemId())))
              : Optional.empty();
      items.add(PolledItem.of(id, item.toString()));
    }
    if (!polling.hasCursor()) {
      return new PolledPage(items, Optional.empty(), false);
    }
    Optional<String> cursor = cursor(polling.getCursor(), answer, found);
    boolean moved = cursor.isPresent() && !cursor.equals(sent);
    boolean more =
        polling.getCursor().hasMore()
            ? answer.at(JsonPointer.compile(polling.getCursor().getMore())).asBoolean(false)
            : !items.isEmpty();
    return new PolledPage(items, cursor, moved && more);
  }

  private static JsonNode tree(byte[] body) {
    try {
      JsonNode read = JSON.readTree(body);
      if (read != null && !read.isMissingNode()) {
        if (!WellFormedText.isWellFormedJson(read)) {
          throw new PageException("not_json", "The answer contains an unpaired surrogate.");
        }
        return read;
      }
    } catch (IOException e) {
      throw new PageException(
          "not_json", "The answer is not JSON, or is nested deeper than " + MAX_DEPTH + " levels.");
    }
    throw new PageException("not_json", "The answer is empty.");
  }

  private static List<JsonNode> items(ConnectorPolling polling, JsonNode answer) {
    if (!polling.hasItems()) {
      return List.of(answer);
    }
    JsonNode list = answer.at(JsonPointer.compile(polling.getItems()));
    if (!list.isArray()) {
      throw new PageException("no_items", "The answer has no list at polling.items.");
    }
    if (list.size() > PolledPage.MOST_ITEMS) {
      throw PolledPage.tooMany();
    }
    List<JsonNode> items = new ArrayList<>();
    list.forEach(
        item -> {
          if (!item.isNull()) {
            items.add(item);
          }
        });
    return items;
  }

  private static Optional<String> cursor(
      PollingCursor cursor, JsonNode answer, List<JsonNode> items) {
    Optional<JsonNode> from =
        switch (cursor.getFrom()) {
          case CURSOR_FROM_FIRST_ITEM -> items.stream().findFirst();
          case CURSOR_FROM_LAST_ITEM -> items.stream().reduce((before, last) -> last);
          default -> Optional.of(answer);
        };
    Optional<JsonNode> found =
        from.map(node -> node.at(JsonPointer.compile(cursor.getPointer())))
            .filter(node -> !node.isMissingNode() && !node.isNull());
    Optional<String> value = found.flatMap(JsonPage::text);
    if (found.isPresent() && value.filter(text -> text.length() <= LONGEST_CURSOR).isEmpty()) {
      throw new PageException(
          "bad_cursor", "The value at polling.cursor.pointer is not a short text.");
    }
    return value.filter(text -> !text.isEmpty());
  }

  private static Optional<String> text(JsonNode node) {
    return node.isValueNode() && !node.isNull() ? Optional.of(node.asText()) : Optional.empty();
  }
}
