package dev.bridle.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.harp.seal.SealedArtifact;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** An enforcer and an approver of a relay over HTTP/1.1, with their cryptography. */
final class RelayExchanges implements AutoCloseable {
  /** The requests of one exchange: submit, decide, wait, acknowledge. */
  static final int REQUESTS = 4;

  private static final String PLACE = "repo:acme/widgets";
  private static final MediaType HARP = MediaType.parse("application/harp+json");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ClientFactory factory = ClientFactory.builder().useHttp2Preface(false).build();
  private final SecureRandom random = new SecureRandom();
  private final DeviceKeys phone = DeviceKeys.create(random);
  private final VerificationKey trusted = phone.signing().verificationKey(KeyValidity.UNBOUNDED);
  private final WebClient web;
  private final String authorization;
  private final String enforcer;
  private final String approver;

  RelayExchanges(URI relay, String key, String enforcer, String approver) {
    this.web =
        WebClient.builder("h1c://" + relay.getAuthority())
            .factory(factory)
            .responseTimeoutMillis(60_000)
            .build();
    this.authorization = "Bearer " + key;
    this.enforcer = enforcer;
    this.approver = approver;
  }

  /** Asks for what touches neither the core nor storage. */
  CompletableFuture<?> noop() {
    return send(HttpMethod.GET, "/v1/status", HttpData.empty(), HttpStatus.OK);
  }

  /** Asks, decides, receives the decision, verifies and acknowledges it. */
  CompletableFuture<?> exchange() {
    Artifact artifact = artifact();
    String request = artifact.requestId();
    SealedArtifact sealed = seal(artifact);
    ObjectNode submit = envelope("artifact.submit", request, "enforcerId", enforcer);
    submit.putObject("recipient").put("approverId", approver);
    submit.set("body", body(sealed));
    return post("/v1/artifacts", submit, HttpStatus.ACCEPTED)
        .thenCompose(accepted -> post("/v1/decisions", decide(sealed), HttpStatus.OK))
        .thenCompose(
            decided ->
                send(
                    HttpMethod.GET,
                    "/v1/exchanges/" + request + "/wait?timeout=30",
                    HttpData.empty(),
                    HttpStatus.OK))
        .thenCompose(delivered -> post("/v1/acks", received(artifact, delivered), HttpStatus.OK));
  }

  /** Does the cryptography of an exchange alone: seal, open, sign, verify. */
  void cryptography() {
    Artifact artifact = artifact();
    ObjectNode decided = decide(seal(artifact));
    verify(artifact, decided);
  }

  private static Artifact artifact() {
    try {
      Instant now = Instant.now();
      return Artifact.create(
          new Artifact.About(
              UUID.randomUUID().toString(),
              "command.review",
              PLACE,
              now,
              now.plus(10, ChronoUnit.MINUTES),
              Optional.empty()),
          JsonNodeFactory.instance.objectNode().put("command", "make deploy").put("salt", "c2Fs"));
    } catch (HarpException e) {
      throw new IllegalStateException(e);
    }
  }

  private SealedArtifact seal(Artifact artifact) {
    try {
      return SealedArtifact.seal(artifact, phone.agreement().publicKey(), random);
    } catch (HarpException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectNode body(SealedArtifact sealed) {
    try {
      return ArtifactSubmit.body(sealed);
    } catch (HarpException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens what was asked, and signs that it is allowed. */
  private ObjectNode decide(SealedArtifact sealed) {
    try {
      Artifact shown = sealed.open(phone.agreement());
      byte[] nonce = new byte[16];
      random.nextBytes(nonce);
      Decision decision =
          Decision.sign(
              Decision.Content.once(
                  Decision.Subject.of(shown),
                  Answer.ALLOW,
                  shown.expiresAt(),
                  Base64Url.encode(nonce)),
              phone.signerKeyId(),
              phone.signing());
      ObjectNode envelope = envelope("decision.submit", shown.requestId(), "approverId", approver);
      envelope.set("body", DecisionSubmit.body(decision, Optional.empty()));
      return envelope;
    } catch (HarpException e) {
      throw new IllegalStateException(e);
    }
  }

  private ObjectNode received(Artifact artifact, AggregatedHttpResponse delivered) {
    try {
      ObjectNode envelope = (ObjectNode) MAPPER.readTree(delivered.content(StandardCharsets.UTF_8));
      verify(artifact, envelope);
      ObjectNode ack = envelope("ack.submit", artifact.requestId(), "enforcerId", enforcer);
      ack.putObject("body")
          .put("msgId", envelope.path("msgId").textValue())
          .put("status", "processed")
          .put("ackAt", Times.spell(Instant.now()));
      return ack;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void verify(Artifact artifact, ObjectNode envelope) {
    try {
      Decision decision =
          DecisionSubmit.of(GatewayEnvelope.of(envelope))
              .verified(PLACE, Times.spell(artifact.expiresAt()), trusted);
      if (!decision.subject().equals(Decision.Subject.of(artifact))) {
        throw new IllegalStateException("another artifact was decided");
      }
    } catch (HarpException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectNode envelope(String type, String request, String role, String party) {
    ObjectNode envelope =
        JsonNodeFactory.instance
            .objectNode()
            .put("msgType", type)
            .put("requestId", request)
            .put("createdAt", Times.spell(Instant.now()));
    envelope.putObject("sender").put(role, party);
    return envelope;
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
