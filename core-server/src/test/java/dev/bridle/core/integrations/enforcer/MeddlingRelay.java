package dev.bridle.core.integrations.enforcer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.relay.SampleEnvelopes;
import dev.bridle.core.kernel.outbound.OddServer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whoever is between a server and its relay: takes what is submitted, and answers calls for the
 * decisions of requests by whatever a test wants, in any order and as often as it wants.
 */
final class MeddlingRelay implements OddServer.Answerer {
  private static final Pattern WITHDRAW = Pattern.compile("POST /v1/exchanges/([^/]+)/withdraw .*");
  private static final Pattern WAIT = Pattern.compile("GET /v1/exchanges/([^/]+)/wait.*");

  /** As long as a relay would let a call wait, so that the server asks again at once. */
  private static final long WAIT_SECONDS = 5;

  private final Map<String, ObjectNode> submitted = new ConcurrentHashMap<>();
  private final Set<String> answered = ConcurrentHashMap.newKeySet();
  private final Map<String, BlockingQueue<ObjectNode>> deliveries = new ConcurrentHashMap<>();

  /** Requests for which the next answer to a call for the decision is lost on its way. */
  private final Set<String> losing = ConcurrentHashMap.newKeySet();

  private final Set<String> lost = ConcurrentHashMap.newKeySet();

  /** Returns what was submitted for a request. */
  Optional<ObjectNode> submitted(String requestId) {
    return Optional.ofNullable(submitted.get(requestId));
  }

  /** Returns what was submitted for requests for which nothing was delivered. */
  List<ObjectNode> unanswered() {
    return submitted.entrySet().stream()
        .filter(each -> !answered.contains(each.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Has a call for the decision of a request answered by an envelope. */
  void deliver(String requestId, ObjectNode envelope) {
    answered.add(requestId);
    deliveries(requestId).add(envelope);
  }

  /**
   * Delivers an envelope as {@link #deliver} does, but the first answer with it is lost: the
   * connection ends, and the envelope comes when the server calls again.
   */
  void deliverAfterLoss(String requestId, ObjectNode envelope) {
    losing.add(requestId);
    deliver(requestId, envelope);
  }

  /** Returns whether an answer for a request was lost. */
  boolean hasLost(String requestId) {
    return lost.contains(requestId);
  }

  private BlockingQueue<ObjectNode> deliveries(String requestId) {
    return deliveries.computeIfAbsent(requestId, id -> new LinkedBlockingQueue<>());
  }

  @Override
  public void answer(OddServer.Received request, OutputStream out)
      throws IOException, InterruptedException {
    String line = request.head().lines().findFirst().orElse("");
    Matcher wait = WAIT.matcher(line);
    if (wait.matches()) {
      ObjectNode envelope = deliveries(wait.group(1)).poll(WAIT_SECONDS, TimeUnit.SECONDS);
      if (envelope != null && losing.remove(wait.group(1))) {
        deliveries(wait.group(1)).add(envelope);
        lost.add(wait.group(1));
        return; // The connection is closed without an answer.
      }
      write(out, envelope == null ? "204 X" : "200 X", envelope == null ? "" : envelope.toString());
      return;
    }
    Matcher withdraw = WITHDRAW.matcher(line);
    if (withdraw.matches()) {
      submitted.remove(withdraw.group(1));
    }
    if (line.startsWith("POST /v1/artifacts ")) {
      ObjectNode envelope =
          (ObjectNode) SampleEnvelopes.json(ByteString.copyFromUtf8(request.body()));
      submitted.put(envelope.get("requestId").textValue(), envelope);
    }
    write(out, "202 X", "");
  }

  private static void write(OutputStream out, String status, String body) throws IOException {
    String ascii = new String(body.getBytes(UTF_8), ISO_8859_1);
    OddServer.write(
        out,
        String.format(
            Locale.ROOT,
            "HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s",
            status,
            ascii.length(),
            ascii));
  }
}
