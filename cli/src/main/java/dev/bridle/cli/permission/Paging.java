package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.rest.RestClient;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a list page by page. */
final class Paging {
  private static final int PAGE = 200;

  private Paging() {}

  /** Hands each row to {@code output}, as many as {@code limit}. */
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

  /** Returns a member of a query, where it is given. */
  static String filter(String name, Optional<String> value) {
    return value.map(given -> "&" + name + "=" + RestClient.escape(given)).orElse("");
  }
}
