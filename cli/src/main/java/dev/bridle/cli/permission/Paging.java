package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.rest.RestClient;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads paginated lists. */
final class Paging {
  private static final int PAGE = 200;

  private Paging() {}

  /** Passes each row to {@code output}, up to {@code limit} rows. */
  static void rows(
      RestClient client, String path, String filter, int limit, Consumer<JsonNode> output) {
    String cursor = "";
    for (int left = limit; left > 0; ) {
      JsonNode page = client.get(path + "?limit=" + Math.min(left, PAGE) + filter + cursor);
      page.path("data").forEach(output);
      left -= page.path("data").size();
      if (!page.at("/page/has_more").asBoolean()) {
        return;
      }
      cursor = "&cursor=" + RestClient.escape(page.at("/page/next_cursor").asText());
    }
  }

  /** Returns a query parameter, or an empty string if it has no value. */
  static String filter(String name, Optional<String> value) {
    return value.map(given -> "&" + name + "=" + RestClient.escape(given)).orElse("");
  }
}
