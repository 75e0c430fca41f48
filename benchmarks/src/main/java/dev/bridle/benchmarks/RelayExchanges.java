package dev.bridle.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.bridle.fixtures.harp.HarpMessages;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** An enforcer and an approver of a relay over HTTP/1.1, with their cryptography. */
final class RelayExchanges implements AutoCloseable {
  /** The requests of one exchange: submit, decide, wait, acknowledge. */
  static final int REQUESTS = 4;

  private static final MediaType HARP = MediaType.parse("application/harp+json");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ClientFactory factory = ClientFactory.builder().useHttp2Preface(false).build();
  private final WebClient web;
  private final String authorization;
  private final HarpMessages messages;

  RelayExchanges(URI relay, String key, String enforcer, String approver) {
    this.web =
        WebClient.builder("h1c://" + relay.getAuthority())
            .factory(factory)
            .responseTimeoutMillis(60_000)
            .build();
    this.authorization = "Bearer " + key;
    this.messages = new HarpMessages(enforcer, approver);
  }

  /** Asks for what touches neither the core nor storage. */
  CompletableFuture<?> noop() {
    return send(HttpMethod.GET, "/v1/status", HttpData.empty(), HttpStatus.OK);
  }

  /** Asks, decides, receives the decision, verifies and acknowledges it. */
  CompletableFuture<?> exchange() {
    Artifact artifact = artifact();
    ObjectNode submission = messages.submission(artifact);
    return post("/v1/artifacts", submission, HttpStatus.ACCEPTED)
        .thenCompose(accepted -> post("/v1/decisions", decision(submission), HttpStatus.OK))
        .thenCompose(
            decided ->
                send(
                    HttpMethod.GET,
                    "/v1/exchanges/" + artifact.requestId() + "/wait?timeout=30",
                    HttpData.empty(),
                    HttpStatus.OK))
        .thenCompose(
            delivered -> {
              ObjectNode envelope = parse(delivered);
              var unused = messages.verify(artifact, envelope);
              return post("/v1/acks", messages.acknowledgment(envelope), HttpStatus.OK);
            });
  }

  /** Does the cryptography of an exchange alone: seal, open, sign, verify. */
  void cryptography() {
    Artifact artifact = artifact();
    var unused = messages.verify(artifact, decision(messages.submission(artifact)));
  }

  private static Artifact artifact() {
    return HarpMessages.artifact(UUID.randomUUID().toString(), Instant.now().plusSeconds(600));
  }

  /** Opens what was asked, and signs that it is allowed. */
  private ObjectNode decision(ObjectNode submission) {
    return messages.decision(messages.open(submission), Answer.ALLOW);
  }

  private static ObjectNode parse(AggregatedHttpResponse response) {
    try {
      return (ObjectNode) MAPPER.readTree(response.content(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CompletableFuture<AggregatedHttpResponse> post(
      String path, ObjectNode envelope, HttpStatus status) {
    return send(HttpMethod.POST, path, HttpData.ofUtf8(envelope.toString()), status);
  }

  private CompletableFuture<AggregatedHttpResponse> send(
      HttpMethod method, String path, HttpData body, HttpStatus status) {
    RequestHeaders headers =
        RequestHeaders.builder(method, path)
            .add(HttpHeaderNames.AUTHORIZATION, authorization)
            .contentType(HARP)
            .build();
    return web.execute(HttpRequest.of(headers, body))
        .aggregate()
        .thenApply(
            response -> {
              if (!response.status().equals(status)) {
                throw new IllegalStateException(
                    path + ": " + response.status() + " " + response.contentUtf8());
              }
              return response;
            });
  }

  @Override
  public void close() {
    factory.close();
  }
}
