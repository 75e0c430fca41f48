package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ResumingStream;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.GatewayEnvelope;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Calls a HARP relay (HARP 0.2, "HTTP binding"). */
final class RelayClient {
  private static final String PING = "ping";
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(50);

  private final RestClient rest;

  RelayClient(RestClient rest) {
    this.rest = rest;
  }

  /** Returns a new envelope. */
  static ObjectNode envelope(String type, String requestId, String role, String party) {
    ObjectNode envelope =
        JsonLines.object()
            .put("msgType", type)
            .put("requestId", requestId)
            .put("createdAt", Times.spell(Instant.now()));
    envelope.putObject("sender").put(role, party);
    return envelope;
  }

  /** Submits an envelope, and returns the relay's. A repeat changes nothing. */
  JsonNode submit(String path, ObjectNode envelope) {
    return rest.post(path, envelope, UUID.randomUUID().toString());
  }

  /** Reads a document that is no envelope. */
  JsonNode get(String path) {
    return rest.get(path);
  }

  /**
   * Passes on the envelopes of an approver's channel as they come, until it is stopped.
   *
   * @param silence for how long the relay may send nothing, not even a ping
   */
  void watch(
      String approver,
      Duration silence,
      Consumer<String> notices,
      Predicate<GatewayEnvelope> more) {
    String path = "/v1/sse/approvers/" + RestClient.escape(approver);
    new ResumingStream(rest, path, notices)
        .withLongestSilence(silence)
        .readWhile(event -> event.kind().equals(PING) || more.test(read(event.body())));
  }

  /** Passes on the requests that wait for an approver, oldest first. */
  void inbox(String approver, Consumer<GatewayEnvelope> consumer) {
    pages(
        "/v1/approvers/" + RestClient.escape(approver) + "/inbox",
        "/body",
        item -> consumer.accept(read(item)));
  }

  /** Passes on the devices that were paired with an enforcer. */
  void devices(String enforcer, Consumer<JsonNode> consumer) {
    pages("/v1/enforcers/" + RestClient.escape(enforcer) + "/devices", "", consumer);
  }

  /**
   * Passes on the items of a list.
   *
   * @param within where a page is in the relay's answer
   */
  private void pages(String path, String within, Consumer<JsonNode> consumer) {
    Optional<String> cursor = Optional.of("");
    while (cursor.isPresent()) {
      String more = cursor.get().isEmpty() ? "" : "?cursor=" + RestClient.escape(cursor.get());
      JsonNode page = rest.get(path + more).at(within);
      page.path("items").forEach(consumer);
      cursor = Optional.ofNullable(page.path("nextCursor").textValue());
    }
  }

  /** Waits for the decision of a request, up to a time. */
  Optional<ObjectNode> decision(String requestId, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (true) {
      long left = Math.min(end - System.nanoTime(), LONGEST_WAIT.toNanos());
      long seconds = Math.max(1, Duration.ofNanos(left).toSeconds());
      byte[] answer =
          rest.bytes("/v1/exchanges/" + RestClient.escape(requestId) + "/wait?timeout=" + seconds);
      if (answer.length > 0) {
        return Optional.of(parsed(answer));
      }
      if (System.nanoTime() >= end || hasEnded(requestId)) {
        return Optional.empty();
      }
    }
  }

  private boolean hasEnded(String requestId) {
    return !state(requestId).equals("pendingApproval");
  }

  /** Returns the state of an exchange. */
  String state(String requestId) {
    return rest.get("/v1/exchanges/" + RestClient.escape(requestId)).at("/body/state").asText();
  }

  private static GatewayEnvelope read(JsonNode item) {
    try {
      return GatewayEnvelope.of((ObjectNode) item);
    } catch (HarpException | ClassCastException e) {
      throw notHarp(e);
    }
  }

  private static ObjectNode parsed(byte[] envelope) {
    try {
      return HarpJson.parse(envelope, GatewayEnvelope.MAX_BYTES);
    } catch (HarpException e) {
      throw notHarp(e);
    }
  }

  private static CommandFailed notHarp(Exception cause) {
    return new CommandFailed(
        ExitCodes.FAILED, "The relay's answer can't be read: " + cause.getMessage(), cause);
  }
}
