package dev.bridle.host.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.rpc.Inbox.Arrival;
import dev.bridle.host.rpc.OpenCalls.Call;
import dev.bridle.host.rpc.PeerException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** Gives each message to whom it is for: the handler, or the call that waits for it. */
final class Dispatch {
  private static final byte[] NO_ID = "null".getBytes(StandardCharsets.US_ASCII);

  private final PeerHandler handler;
  private final OpenCalls calls;
  private final PeerCounters counters;
  private final Consumer<byte[]> sender;

  /**
   * @param sender takes lines that answer requests, and copes if they can't be sent
   */
  Dispatch(PeerHandler handler, OpenCalls calls, PeerCounters counters, Consumer<byte[]> sender) {
    this.handler = handler;
    this.calls = calls;
    this.counters = counters;
    this.sender = sender;
  }

  void accept(Arrival arrival) {
    Message message = arrival.message();
    if (message instanceof Message.Answer answer) {
      answered(answer, arrival.cut());
    } else if (message instanceof Message.Request request) {
      requested(new IncomingRequest(request, sender), arrival.cut());
    } else if (message instanceof Message.Notification notification && !arrival.cut()) {
      notified(notification);
    } else if (message instanceof Message.Turn turn) {
      run(turn.action());
    } else if (message instanceof Message.BadRequest bad) {
      refused(
          bad.id().map(RawJson::bytes).orElse(NO_ID),
          RpcError.of(RpcError.INVALID_REQUEST, bad.why()));
    } else if (message instanceof Message.Noise noise) {
      refused(
          NO_ID,
          arrival.cut()
              ? RpcError.of(RpcError.INVALID_REQUEST, "The message is too long")
              : noise.isJson()
                  ? RpcError.of(RpcError.INVALID_REQUEST, "The line is no JSON-RPC 2.0 message")
                  : RpcError.of(RpcError.PARSE_ERROR, "The line is not JSON"));
    }
  }

  /** Answers what nobody handles, to its id if it has one. */
  private void refused(byte[] id, RpcError error) {
    counters.badRequests.increment();
    sender.accept(IncomingRequest.answer(id, "error", IncomingRequest.bytes(error)));
  }

  /** The last call of the handler. */
  void ended(PeerException why) {
    run(() -> handler.ended(why));
  }

  private void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      counters.handlerFailures.increment();
    }
  }

  private void requested(IncomingRequest request, boolean cut) {
    if (cut) {
      request.fail(RpcError.of(RpcError.INVALID_REQUEST, "The message is too long"));
      return;
    }
    try {
      handler.request(request);
    } catch (RuntimeException e) {
      counters.handlerFailures.increment();
      request.fail(RpcError.of(RpcError.INTERNAL, request.method() + " failed"));
    }
  }

  private void notified(Message.Notification message) {
    run(() -> handler.notification(message.method(), message.params(), message.whole()));
  }

  private void answered(Message.Answer answer, boolean cut) {
    Optional<Long> id = answer.id();
    Optional<Call> call = id.flatMap(calls::take);
    if (call.isEmpty()) {
      boolean known = id.isPresent() && calls.known(id.get());
      (known ? counters.lateAnswers : counters.unknownAnswers).increment();
    } else if (cut) {
      call.get().fail(Reason.MESSAGE_TOO_LONG, "The answer is longer than a line may be");
    } else {
      complete(call.get(), answer);
    }
  }

  private static void complete(Call call, Message.Answer answer) {
    try {
      JsonNode error = answer.error().json();
      if (error.isMissingNode() || (error.isNull() && answer.result().isPresent())) {
        call.answer().complete(answer.result());
        return;
      }
      if (error.path("code").canConvertToInt() && error.path("code").isIntegralNumber()) {
        RawJson data = answer.error().member("data").orElse(RawJson.absent());
        String message = error.path("message").asText("");
        RpcError given = new RpcError(error.path("code").intValue(), message, data);
        call.answer().completeExceptionally(new AnsweredError(call.method(), given));
        return;
      }
    } catch (BadJson e) {
      // Falls through to the answer that is neither.
    }
    call.fail(Reason.BAD_ANSWER, call.method() + " was answered by no result and no error");
  }
}
