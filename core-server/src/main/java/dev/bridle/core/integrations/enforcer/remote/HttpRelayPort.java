package dev.bridle.core.integrations.enforcer.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.enforcer.RelayPort;
import dev.bridle.core.integrations.enforcer.RelayRefusal;
import dev.bridle.core.kernel.outbound.OutboundCalls;
import dev.bridle.core.kernel.outbound.OutboundException;
import dev.bridle.core.kernel.outbound.OutboundRequest;
import dev.bridle.core.kernel.outbound.OutboundRequest.Method;
import dev.bridle.core.kernel.outbound.OutboundResponse;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.GatewayEnvelope;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A relay elsewhere (HARP 0.2, "HTTP binding"). Its decisions are waited for by long polls: they
 * need nothing that a relay may lack, go through proxies, and leave no state to restore after a
 * lost connection.
 */
final class HttpRelayPort implements RelayPort {
  /** How long a call waits at the relay for a decision; below what proxies allow. */
  static final Duration LONG_POLL = Duration.ofSeconds(15);

  /**
   * How many calls wait so at once, each on a connection of its own. What waits beyond that is
   * looked at by short calls, and so its decision arrives half a minute later at worst.
   */
  static final int MAX_LONG_POLLS = 200;

  /** Relays take decisions of 64 KiB, and add an envelope. */
  static final int MAX_DECISION_BYTES = 96 << 10;

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String MEDIA_TYPE = "application/harp+json";
  private static final int MAX_ANSWER_BYTES = 64 << 10;
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  /** What a header can hold; the message of a client's error would repeat what it can't. */
  private static final Pattern SECRET = Pattern.compile("[!-~]{1,4096}");

  private final RelayTarget target;
  private final OutboundCalls calls;
  private final Clock clock;
  private final AtomicInteger polls = new AtomicInteger();

  HttpRelayPort(RelayTarget target, OutboundCalls calls, Clock clock) {
    this.target = target;
    this.calls = calls;
    this.clock = clock;
  }

  @Override
  public String enforcerId() {
    return target.enforcerId();
  }

  @Override
  public boolean reportsDecisions() {
    return false;
  }

  @Override
  public void submit(String tenant, ByteString envelope) {
    OutboundResponse response = call(Method.POST, "/v1/artifacts", envelope.toByteArray());
    // A conflict is about a request that is there, as after a crash: ids of requests are random.
    if (!response.ok() && response.status() != CONFLICT) {
      throw RelayAnswers.refusal(target.name(), response);
    }
  }

  @Override
  public CompletableFuture<Optional<ByteString>> decision(String tenant, String requestId) {
    boolean waits = polls.incrementAndGet() <= MAX_LONG_POLLS;
    long seconds = waits ? LONG_POLL.toSeconds() : 1;
    return send(
            Method.GET,
            exchange(requestId) + "/wait?timeout=" + seconds,
            new byte[0],
            MAX_DECISION_BYTES)
        .whenComplete((response, failure) -> polls.decrementAndGet())
        .thenApply(this::decision);
  }

  private Optional<ByteString> decision(OutboundResponse response) {
    if (response.status() == NO_CONTENT) {
      return Optional.empty();
    }
    if (RelayAnswers.isUnknown(response)) {
      throw RelayAnswers.forgotten(target.name());
    }
    if (response.status() != OK) {
      throw RelayAnswers.refusal(target.name(), response);
    }
    if (response.cut()) {
      throw RelayAnswers.unusable(
          target.name(), "delivers a decision of more than " + MAX_DECISION_BYTES + " bytes");
    }
    return Optional.of(ByteString.copyFrom(response.body()));
  }

  @Override
  public void withdraw(String tenant, String requestId, String reason, ByteString end) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("reason", reason);
    OutboundResponse response = call(Method.POST, exchange(requestId) + "/withdraw", json(body));
    boolean gone = response.status() == NOT_FOUND || response.status() == CONFLICT;
    if (!response.ok() && !gone) {
      throw RelayAnswers.refusal(target.name(), response);
    }
  }

  @Override
  public void acknowledge(String tenant, String requestId, ByteString delivered) {
    Optional<String> message = messageId(delivered);
    if (message.isEmpty()) {
      return; // What has no id can't be acknowledged.
    }
    String now = Times.spell(clock.instant());
    ObjectNode ack =
        JsonNodeFactory.instance
            .objectNode()
            .put("msgType", "ack.submit")
            .put("requestId", requestId)
            .put("createdAt", now);
    ack.putObject("sender").put("enforcerId", target.enforcerId());
    ack.putObject("body").put("msgId", message.get()).put("status", "processed").put("ackAt", now);
    OutboundResponse response = call(Method.POST, "/v1/acks", json(ack));
    if (!response.ok()) {
      throw RelayAnswers.refusal(target.name(), response);
    }
  }

  private static Optional<String> messageId(ByteString delivered) {
    try {
      return GatewayEnvelope.parse(delivered.toByteArray()).messageId();
    } catch (HarpException e) {
      return Optional.empty();
    }
  }

  private static String exchange(String requestId) {
    return "/v1/exchanges/" + URLEncoder.encode(requestId, StandardCharsets.UTF_8);
  }

  private static byte[] json(ObjectNode document) {
    try {
      return MAPPER.writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can be written", e);
    }
  }

  private OutboundResponse call(Method method, String path, byte[] body) {
    try {
      return send(method, path, body, MAX_ANSWER_BYTES).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }

  /** Sends a request; the future fails with a {@link RelayRefusal}. */
  private CompletableFuture<OutboundResponse> send(
      Method method, String path, byte[] body, int maxAnswerBytes) {
    String secret;
    try {
      secret = target.credential().read();
    } catch (IOException e) {
      return CompletableFuture.failedFuture(
          RelayAnswers.unusable(target.name(), "can't be called: its credential can't be read"));
    }
    if (!SECRET.matcher(secret).matches()) {
      return CompletableFuture.failedFuture(
          RelayAnswers.unusable(target.name(), "can't be called: its credential is malformed"));
    }
    Map<String, String> headers =
        method == Method.POST
            ? Map.of("authorization", "Bearer " + secret, "content-type", MEDIA_TYPE)
            : Map.of("authorization", "Bearer " + secret);
    return calls
        .send(new OutboundRequest(method, target.at(path), headers, body), maxAnswerBytes)
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(refusal(failure)));
  }

  private Throwable refusal(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof OutboundException outbound
        ? RelayAnswers.unanswered(target.name(), outbound)
        : cause;
  }
}
