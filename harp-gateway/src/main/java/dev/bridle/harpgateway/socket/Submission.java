package dev.bridle.harpgateway.socket;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.harpgateway.call.HarpCall;
import dev.bridle.relay.v1.RelayServiceGrpc;
import dev.bridle.relay.v1.SubmitAckRequest;
import dev.bridle.relay.v1.SubmitAckResponse;
import dev.bridle.relay.v1.SubmitArtifactRequest;
import dev.bridle.relay.v1.SubmitArtifactResponse;
import dev.bridle.relay.v1.SubmitDecisionRequest;
import dev.bridle.relay.v1.SubmitDecisionResponse;
import io.grpc.MethodDescriptor;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What a client submits over a WebSocket: the same call of the core as over REST, with the same
 * rules.
 *
 * @param <A> the core's request
 * @param <B> the core's response
 */
final class Submission<A extends Message, B extends Message> {
  /** The submissions by the types of their envelopes. */
  static final Map<String, Submission<?, ?>> BY_TYPE =
      Map.of(
          "artifact.submit",
          new Submission<>(
              RelayServiceGrpc.getSubmitArtifactMethod(),
              envelope -> SubmitArtifactRequest.newBuilder().setEnvelope(envelope).build(),
              SubmitArtifactResponse::getEnvelope),
          "decision.submit",
          new Submission<>(
              RelayServiceGrpc.getSubmitDecisionMethod(),
              envelope -> SubmitDecisionRequest.newBuilder().setEnvelope(envelope).build(),
              SubmitDecisionResponse::getEnvelope),
          "ack.submit",
          new Submission<>(
              RelayServiceGrpc.getSubmitAckMethod(),
              envelope -> SubmitAckRequest.newBuilder().setEnvelope(envelope).build(),
              SubmitAckResponse::getEnvelope));

  private final MethodDescriptor<A, B> method;
  private final Function<ByteString, A> request;
  private final Function<B, ByteString> reply;

  private Submission(
      MethodDescriptor<A, B> method,
      Function<ByteString, A> request,
      Function<B, ByteString> reply) {
    this.method = method;
    this.request = request;
    this.reply = reply;
  }

  /** Submits an envelope with the credentials of a socket's handshake; returns the core's. */
  CompletableFuture<ByteString> send(
      CoreCalls core, HarpCall socket, ByteString envelope, String requestId) {
    return core.unary(
            method, request.apply(envelope), CoreCalls.metadata(socket, requestId), requestId)
        .thenApply(reply);
  }
}
