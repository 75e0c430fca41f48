package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.Listing;
import dev.bridle.cli.rest.RestClient;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Prints resources: a line of text with some members, or the JSON as received. */
final class Shown {
  private static final int PAGE = 200;

  @Option(names = "--json", description = "Print each resource as a line of JSON.")
  private boolean json;

  /** Prints a resource. Members that begin with a slash are JSON Pointers. */
  void one(JsonNode resource, PrintWriter out, String... members) {
    if (json) {
      out.println(resource);
    } else {
      out.println(line(cells(resource, members)));
    }
    out.flush();
  }

  /** Returns a list with a column for the id and one for each of these members. */
  Listing listing(PrintWriter out, String... members) {
    List<String> headings = new ArrayList<>(List.of("ID"));
    for (String member : members) {
      headings.add(member.replaceAll("^/", "").replaceAll("[/_]", " ").toUpperCase(Locale.ROOT));
    }
    return new Listing(out, json, headings.toArray(String[]::new));
  }

  /** Adds a resource as a row of a list. */
  void add(Listing list, JsonNode resource, String... members) {
    List<String> cells = cells(resource, members);
    list.add(json ? resource.toString() : line(cells), cells.toArray(String[]::new));
  }

  private static String line(List<String> cells) {
    int first = cells.get(0).isEmpty() ? 1 : 0;
    return String.join("  ", cells.subList(first, cells.size()));
  }

  private static List<String> cells(JsonNode resource, String... members) {
    List<String> cells = new ArrayList<>(List.of(resource.path("id").asText()));
    for (String member : members) {
      JsonNode value = member.startsWith("/") ? resource.at(member) : resource.path(member);
      cells.add(value.isValueNode() ? value.asText() : value.toString());
    }
    return cells;
  }

  /** Prints up to {@code limit} resources of a list, newest first. */
  void all(RestClient client, String list, int limit, PrintWriter out, String... members) {
    String join = list.contains("?") ? "&" : "?";
    String cursor = "";
    try (Listing listing = listing(out, members)) {
      for (int left = limit; left > 0; ) {
        JsonNode page = client.get(list + join + "limit=" + Math.min(left, PAGE) + cursor);
        page.path("data").forEach(resource -> add(listing, resource, members));
        left -= page.path("data").size();
        if (!page.at("/page/has_more").asBoolean()) {
          return;
        }
        cursor = "&cursor=" + RestClient.escape(page.at("/page/next_cursor").asText());
      }
    }
  }
}
