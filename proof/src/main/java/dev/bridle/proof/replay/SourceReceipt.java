package dev.bridle.proof.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.Receipt;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The receipt of the task that is replayed: what it states about the log.
 *
 * @param events the number of events
 * @param digest the digest of their lines
 */
record SourceReceipt(Receipt receipt, ObjectNode json, long events, Sha256 digest) {
  private static final String LOG = "bridle.log";
  private static final String EVENT_LOG = "event_log";
  private static final String MATERIALS = "/replay_input/materials";

  static SourceReceipt of(Receipt receipt) throws ReplayException {
    ObjectNode json = receipt.json();
    if (!receipt.subject().object().equals("task")) {
      throw new ReplayException(
          ReplayFault.unavailable(
              "receipt", "the receipt of a task", "one of a " + receipt.subject().object()));
    }
    JsonNode log = json.path("metadata").path(LOG);
    Optional<Sha256> digest = Sha256.parse(log.path("sha256").asText());
    if (digest.isEmpty() || !log.path("events").isIntegralNumber()) {
      throw new ReplayException(
          ReplayFault.unavailable(
              "/metadata/" + LOG, "number and digest of the task's events", "none"));
    }
    long events = log.path("events").longValue();
    JsonNode material = json.at(MATERIALS + "/0");
    if (material.path("kind").asText().equals(EVENT_LOG)
        && !(material.path("sha256").asText().equals(digest.get().toString())
            && material.at("/metadata/events").asLong(-1) == events)) {
      throw new ReplayException(
          ReplayFault.diverged(
              MATERIALS + "/0",
              events + " events with the digest " + digest.get(),
              material.at("/metadata/events").asLong(-1)
                  + " events with "
                  + material.path("sha256").asText()));
    }
    return new SourceReceipt(receipt, json, events, digest.get());
  }

  /** Returns what the receipt states at a JSON Pointer; a missing node if there is nothing. */
  JsonNode at(String pointer) {
    return json.at(pointer);
  }

  /** Returns the entries of a list; empty if there is no list. */
  List<JsonNode> list(String pointer) {
    List<JsonNode> entries = new ArrayList<>();
    at(pointer).forEach(entries::add);
    return entries;
  }

  /** Returns the recorded dependencies: all materials but the log itself. */
  List<JsonNode> dependencies() {
    return list(MATERIALS).stream()
        .filter(material -> !material.path("kind").asText().equals(EVENT_LOG))
        .toList();
  }

  /** Returns the whole length of a list, which may be more than the receipt has entries. */
  OptionalLong length(String list) {
    JsonNode count = lists(list).path("count");
    return count.isIntegralNumber() ? OptionalLong.of(count.longValue()) : OptionalLong.empty();
  }

  /** Returns the hash of a whole list, if its entries never change. */
  Optional<Sha256> listHash(String list) {
    return Sha256.parse(lists(list).path("sha256").asText());
  }

  /** Returns whether a stated time is that of an event. */
  static boolean isTime(String stated, Instant found) {
    try {
      return Instant.parse(stated).equals(found);
    } catch (DateTimeParseException e) {
      return false; // A leap second is allowed in receipts; events have none.
    }
  }

  private JsonNode lists(String list) {
    return json.path("metadata").path("bridle.lists").path(list);
  }

  /** Returns whether the receipt says that a member, or what it is in, may lack something. */
  boolean isNotReported(String pointer) {
    for (JsonNode each : json.path("metadata").path("bridle.not_reported")) {
      if (pointer.equals(each.asText()) || pointer.startsWith(each.asText() + "/")) {
        return true;
      }
    }
    return false;
  }
}
