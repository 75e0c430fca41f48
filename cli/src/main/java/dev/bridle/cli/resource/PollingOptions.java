package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What is said of how a connector polls. */
final class PollingOptions {
  @Option(names = "--poll", paramLabel = "URL", description = "Poll this URL for what is new.")
  private Optional<String> url = Optional.empty();

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "How far polls lie apart, such as 15m.")
  private Optional<Duration> every = Optional.empty();

  @Option(
      names = "--cron",
      paramLabel = "FIELDS",
      description = "When it polls instead, as the five fields of cron.")
  private Optional<String> cron = Optional.empty();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone of --cron (default: UTC).")
  private Optional<String> zone = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "json|feed",
      description = "What is polled: JSON, or an RSS or Atom feed (default: json).")
  private Optional<String> format = Optional.empty();

  @Option(
      names = "--items",
      paramLabel = "POINTER",
      description = "The JSON Pointer to the list of items (default: the answer is one item).")
  private Optional<String> items = Optional.empty();

  @Option(
      names = "--item-id",
      paramLabel = "POINTER",
      description = "The JSON Pointer, seen from an item, to what names it.")
  private Optional<String> itemId = Optional.empty();

  @Option(
      names = "--initial",
      paramLabel = "skip|all",
      description = "What becomes of what is there at the first poll (default: skip).")
  private Optional<String> initial = Optional.empty();

  @Option(
      names = "--auth-secret",
      paramLabel = "VAULT/NAME",
      description = "The secret of a vault that is sent as a bearer token; others with --set.")
  private Optional<String> authSecret = Optional.empty();

  boolean given() {
    return url.isPresent();
  }

  /** Adds what is said to the description of a connector. */
  void into(ObjectNode body) {
    if (url.isEmpty()) {
      boolean more =
          every.isPresent()
              || cron.isPresent()
              || zone.isPresent()
              || format.isPresent()
              || items.isPresent()
              || itemId.isPresent()
              || initial.isPresent()
              || authSecret.isPresent();
      if (more) {
        throw new CommandFailed(ExitCodes.USAGE, "These options are about --poll; give it, too");
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
