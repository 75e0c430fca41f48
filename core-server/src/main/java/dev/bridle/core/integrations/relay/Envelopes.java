package dev.bridle.core.integrations.relay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import com.google.protobuf.ByteString;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.rule.ExchangeState;
import dev.bridle.record.v1.ExchangeArtifactRecord;
import dev.bridle.record.v1.ExchangeDecisionRecord;
import dev.bridle.record.v1.ExchangeOutcome;
import dev.bridle.record.v1.ExchangeRecipient;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.RelayMessageRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;

/** Writes the envelopes that the relay sends (HARP 0.2, "HTTP binding"). */
final class Envelopes {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** What an envelope names that is about no single request. */
  static final String NO_REQUEST = "-";

  private final String gatewayId;

  Envelopes(String gatewayId) {
    this.gatewayId = gatewayId;
  }

  static ByteString bytes(ObjectNode json) {
    try {
      return ByteString.copyFrom(MAPPER.writeValueAsBytes(json));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree can always be written", e);
    }
  }

  ByteString artifactAccepted(ExchangeRecord exchange, long now) {
    ObjectNode envelope = envelope("artifact.accepted", exchange.getRequestId(), now);
    envelope.putObject("recipient").put("enforcerId", exchange.getEnforcerId());
    envelope
        .putObject("body")
        .put("state", ExchangeLifecycle.stateAt(exchange, now).spelled())
        .put("artifactHash", prefixed(exchange))
        .put("expiresAt", exchange.getExpiresAt());
    return bytes(envelope);
  }

  ByteString decisionAccepted(ExchangeRecord exchange, long now) {
    return decisionAccepted(
        exchange.getRequestId(),
        exchange.getOutcome().getApproverId(),
        ExchangeLifecycle.stateAt(exchange, now),
        exchange.getOutcome().getDecision(),
        now);
  }

  ByteString decisionAccepted(
      String requestId, String approverId, ExchangeState state, String decision, long now) {
    ObjectNode envelope = envelope("decision.accepted", requestId, now);
    envelope.putObject("recipient").put("approverId", approverId);
    envelope.putObject("body").put("state", state.spelled()).put("decision", decision);
    return bytes(envelope);
  }

  ByteString ackAccepted(RelayMessageRecord message, long now) {
    ObjectNode envelope = envelope("ack.accepted", message.getRequestId(), now);
    envelope
        .putObject("body")
        .put("msgId", message.getId())
        .put("status", message.getProcessedAt() != 0 ? "processed" : "received");
    return bytes(envelope);
  }

  /** Returns the request that an approver receives. */
  ObjectNode approvalRequest(
      ExchangeRecord exchange, ExchangeRecipient recipient, ExchangeArtifactRecord artifact) {
    ObjectNode envelope =
        message(
            "approval.request",
            recipient.getMessageId(),
            exchange.getRequestId(),
            exchange.getCreatedAt());
    envelope.put("expiresAt", exchange.getExpiresAt());
    envelope.putObject("recipient").put("approverId", recipient.getApproverId());
    envelope.set("body", ApprovalBody.sent(parsed(artifact.getBody())));
    return envelope;
  }

  /**
   * Returns the decision that an enforcer receives: body and trace as the bytes that came. Where
   * the decision's envelope had no expiry, the artifact's counts.
   */
  ObjectNode decisionDeliver(ExchangeRecord exchange, ExchangeDecisionRecord decision) {
    ExchangeOutcome outcome = exchange.getOutcome();
    ObjectNode envelope =
        message(
            "decision.deliver",
            outcome.getMessageId(),
            exchange.getRequestId(),
            outcome.getDecidedAt());
    envelope.put(
        "expiresAt",
        decision.getExpiresAt().isEmpty() ? exchange.getExpiresAt() : decision.getExpiresAt());
    envelope.putObject("recipient").put("enforcerId", exchange.getEnforcerId());
    if (!decision.getTrace().isEmpty()) {
      envelope.putRawValue("trace", new RawValue(decision.getTrace().toStringUtf8()));
    }
    envelope.putRawValue("body", new RawValue(decision.getBody().toStringUtf8()));
    return envelope;
  }

  /**
   * Returns a page of an inbox.
   *
   * @param notices what waits for an approver beside the requests
   */
  ByteString inboxPage(InboxPages.Page page, List<ByteString> notices, long now) {
    ObjectNode envelope = envelope("inbox.page", NO_REQUEST, now);
    if (!notices.isEmpty()) {
      // The published body is closed.
      addAll(envelope.putObject("trace").putArray("dev.bridle.notices"), notices);
    }
    ObjectNode body = envelope.putObject("body");
    addAll(body.putArray("items"), page.items());
    page.nextCursor()
        .ifPresentOrElse(
            cursor -> body.put("nextCursor", cursor), () -> body.putNull("nextCursor"));
    return bytes(envelope);
  }

  private static void addAll(ArrayNode list, List<ByteString> items) {
    items.forEach(item -> list.addRawValue(new RawValue(item.toStringUtf8())));
  }

  ByteString status(ExchangeRecord exchange, long now) {
    ObjectNode envelope = envelope("exchange.status", exchange.getRequestId(), now);
    ExchangeState state = ExchangeLifecycle.stateAt(exchange, now);
    ObjectNode body =
        envelope
            .putObject("body")
            .put("requestId", exchange.getRequestId())
            .put("state", state.spelled())
            .put("createdAt", spell(exchange.getCreatedAt()))
            .put("expiresAt", exchange.getExpiresAt())
            .put("artifactHash", prefixed(exchange));
    if (exchange.hasOutcome()) {
      ExchangeOutcome outcome = exchange.getOutcome();
      body.putObject("decision")
          .put("decision", outcome.getDecision())
          .put("approverId", outcome.getApproverId())
          .put("signerKeyId", outcome.getSignerKeyId())
          .put("decidedAt", spell(outcome.getDecidedAt()));
    }
    if (!exchange.getEnd().isEmpty()) {
      // The published body is closed.
      envelope
          .putObject("trace")
          .putRawValue("dev.bridle.end", new RawValue(exchange.getEnd().toStringUtf8()));
    }
    return bytes(envelope);
  }

  ByteString withdrawn(ExchangeRecord exchange, long now) {
    ObjectNode envelope = envelope("exchange.withdrawn", exchange.getRequestId(), now);
    ObjectNode body =
        envelope
            .putObject("body")
            .put("state", "Withdrawn")
            .put("withdrawnAt", spell(exchange.getChangedAt()));
    if (!exchange.getEndReason().isEmpty()) {
      body.put("reason", exchange.getEndReason());
    }
    return bytes(envelope);
  }

  ByteString refreshRequest(String requestId, long now) {
    ObjectNode envelope = envelope("refresh.request", requestId, now);
    envelope.putObject("body").put("reason", "An approver asks for the request anew.");
    return bytes(envelope);
  }

  private ObjectNode message(String type, String messageId, String requestId, long at) {
    ObjectNode envelope = JsonNodeFactory.instance.objectNode().put("msgId", messageId);
    return head(envelope, type, requestId, at);
  }

  private ObjectNode envelope(String type, String requestId, long at) {
    return head(JsonNodeFactory.instance.objectNode(), type, requestId, at);
  }

  private ObjectNode head(ObjectNode envelope, String type, String requestId, long at) {
    envelope.put("msgType", type).put("requestId", requestId).put("createdAt", spell(at));
    envelope.putObject("sender").put("gatewayId", gatewayId);
    return envelope;
  }

  private static String prefixed(ExchangeRecord exchange) {
    return "sha256:" + exchange.getArtifactHash();
  }

  private static String spell(long millis) {
    return Times.spell(Instant.ofEpochMilli(millis));
  }

  private static ObjectNode parsed(ByteString json) {
    try {
      return (ObjectNode) MAPPER.readTree(json.newInput());
    } catch (IOException e) {
      throw new UncheckedIOException("a stored body is not JSON", e);
    }
  }
}
