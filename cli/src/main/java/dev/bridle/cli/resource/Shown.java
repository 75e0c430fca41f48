package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.Listing;
import dev.bridle.cli.rest.RestClient;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Prints resources: a line of text with the id and some columns, or the JSON as received. */
final class Shown {
  private static final Column[] ID = Column.of("id");

  @Option(names = "--json", description = "Print each resource as a line of JSON.")
  private boolean json;

  boolean isJson() {
    return json;
  }

  /** Prints a resource. */
  void one(JsonNode resource, PrintWriter out, Column... columns) {
    out.println(line(resource, columns));
    out.flush();
  }

  /** Returns a list with a column for the id before these. */
  Listing listing(PrintWriter out, Column... columns) {
    return new Listing(out, json, withId(columns).map(Column::heading).toArray(String[]::new));
  }

  /** Adds a resource as a row of a list. */
  void add(Listing list, JsonNode resource, Column... columns) {
    list.add(
        line(resource, columns),
        withId(columns).map(column -> column.value().apply(resource)).toArray(String[]::new));
  }

  private String line(JsonNode resource, Column... columns) {
    if (json) {
      return resource.toString();
    }
    List<String> cells = new ArrayList<>();
    (resource.has("id") ? withId(columns) : Stream.of(columns))
        .forEach(column -> cells.add(column.padded(resource)));
    return String.join("  ", cells);
  }

  private static Stream<Column> withId(Column... columns) {
    return Stream.concat(Stream.of(ID), Stream.of(columns));
  }

  /** Prints up to {@code limit} resources of a list, newest first. */
  void all(RestClient client, String list, int limit, PrintWriter out, Column... columns) {
    try (Listing listing = listing(out, columns)) {
      client.rows(list, limit, resource -> add(listing, resource, columns));
    }
  }
}
