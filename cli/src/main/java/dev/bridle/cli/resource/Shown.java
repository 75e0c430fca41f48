package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.Listing;
import dev.bridle.cli.rest.RestClient;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How resources are printed: a readable line of some members each, or the JSON as it came. */
final class Shown {
  private static final int PAGE = 200;

  @Option(names = "--json", description = "Print each resource as a line of JSON.")
  private boolean json;

  /** Prints a resource; members that begin with a slash are JSON Pointers. */
  void one(JsonNode resource, PrintWriter out, String... members) {
    if (json) {
      out.println(resource);
    } else {
      out.println(line(cells(resource, members)));
    }
    out.flush();
  }

  /** Begins a list of resources with their ids, where they have some, and these members. */
  Listing listing(PrintWriter out, String... members) {
    List<String> headings = new ArrayList<>(List.of("ID"));
    for (String member : members) {
      headings.add(member.replaceAll("^/", "").replaceAll("[/_]", " ").toUpperCase(Locale.ROOT));
    }
    return new Listing(out, json, headings.toArray(String[]::new));
  }

  /** Adds a resource to a list. */
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

  /** Reads a secret's name that an option gives as {@code VAULT/NAME}. */
  static ObjectNode secretName(String named, String option) {
    int slash = named.indexOf('/');
    if (slash < 1) {
      throw new CommandFailed(ExitCodes.USAGE, option + " is '" + named + "', expected VAULT/NAME");
    }
    return JsonLines.object()
        .put("vault_id", named.substring(0, slash))
        .put("name", named.substring(slash + 1));
  }

  /** Reads an object that an option gives; an empty one where it is not given. */
  static ObjectNode object(Optional<String> text, String option) {
    if (text.isEmpty()) {
      return JsonLines.object();
    }
    return text.flatMap(JsonLines::parse)
        .filter(JsonNode::isObject)
        .map(ObjectNode.class::cast)
        .orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.USAGE, option + " is '" + text.get() + "', expected a JSON object"));
  }
}
