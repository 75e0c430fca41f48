package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for a connector that polls. */
final class PollingOptions {
  @Option(names = "--poll", paramLabel = "URL", description = "Poll this URL for new items.")
  private Optional<String> url = Optional.empty();

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "The interval between polls, such as 15m.")
  private Optional<Duration> every = Optional.empty();

  @Option(
      names = "--cron",
      paramLabel = "FIELDS",
      description = "The poll schedule instead of an interval, as five cron fields.")
  private Optional<String> cron = Optional.empty();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone of --cron (default: UTC).")
  private Optional<String> zone = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "json|feed",
      description = "The response format: JSON, or an RSS or Atom feed (default: json).")
  private Optional<String> format = Optional.empty();

  @Option(
      names = "--items",
      paramLabel = "POINTER",
      description = "The JSON Pointer to the list of items (default: the response is one item).")
  private Optional<String> items = Optional.empty();

  @Option(
      names = "--item-id",
      paramLabel = "POINTER",
      description = "The JSON Pointer to the id of an item, relative to the item.")
  private Optional<String> itemId = Optional.empty();

  @Option(
      names = "--initial",
      paramLabel = "skip|all",
      description = "Whether the first poll skips or submits existing items (default: skip).")
  private Optional<String> initial = Optional.empty();

  @Option(
      names = "--auth-secret",
      paramLabel = "VAULT/NAME",
      description = "The vault secret sent as a bearer token; use --set for other schemes.")
  private Optional<String> authSecret = Optional.empty();

  boolean given() {
    return url.isPresent();
  }

  /** Adds the polling options to the request body of a connector. */
  void into(ObjectNode body) {
    if (url.isEmpty()) {
      boolean hasPollingOption =
          every.isPresent()
              || cron.isPresent()
              || zone.isPresent()
              || format.isPresent()
              || items.isPresent()
              || itemId.isPresent()
              || initial.isPresent()
              || authSecret.isPresent();
      if (hasPollingOption) {
        throw new CommandFailed(ExitCodes.USAGE, "Polling options need --poll URL.");
      }
      return;
    }
    ObjectNode polling = body.withObject("/polling");
    polling.put("url", url.get());
    every.ifPresent(time -> polling.put("interval_seconds", time.toSeconds()));
    cron.ifPresent(fields -> polling.put("cron", fields));
    zone.ifPresent(name -> polling.put("time_zone", name));
    format.ifPresent(name -> polling.put("format", name));
    items.ifPresent(pointer -> polling.put("items", pointer));
    itemId.ifPresent(pointer -> polling.put("item_id", pointer));
    initial.ifPresent(name -> polling.put("initial", name));
    authSecret.ifPresent(
        named -> {
          ObjectNode auth = body.withObject("/auth");
          if (!auth.has("prefix")) {
            auth.put("prefix", "Bearer ");
          }
          auth.set("secret", Shown.secretName(named, "--auth-secret"));
        });
  }
}
