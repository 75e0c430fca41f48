package dev.bridle.core.integrations.prompt;

import dev.bridle.core.integrations.layer.LayerDocument;
import dev.bridle.core.integrations.layer.LayerErrors;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.prompt.Prompt;
import dev.bridle.relay.v1.PromptServiceGrpc;
import dev.bridle.relay.v1.SendPromptRequest;
import dev.bridle.relay.v1.SendPromptResponse;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Takes prompts. */
final class PromptService extends PromptServiceGrpc.PromptServiceImplBase {
  private static final String TYPE = "prompt.send";

  /** The one target that is served: the others would promise what no agent does. */
  private static final String TARGET = "agentChat";

  private static final int MAX_REQUEST_ID = 256;

  private final Commands commands;
  private final Clock clock;
  private final PromptRules rules;
  private final String gatewayId;

  PromptService(CoreContext context, PromptRules rules, String gatewayId) {
    this.commands = context.commands();
    this.clock = context.clock();
    this.rules = rules;
    this.gatewayId = gatewayId;
  }

  @Override
  public void sendPrompt(SendPromptRequest request, StreamObserver<SendPromptResponse> response) {
    Received received = read(request);
    PromptOutcome outcome = send(received);
    long now = clock.millis();
    Replies.send(
        response,
        SendPromptResponse.newBuilder()
            .setDocument(
                received
                    .document()
                    .answer("prompt.ack", outcome.ack(received.prompt(), now), gatewayId, now))
            .build());
  }

  /** A prompt, and the document that it came in. */
  private record Received(LayerDocument document, Prompt prompt, Optional<Instant> expiresAt) {}

  private static Received read(SendPromptRequest request) {
    try {
      LayerDocument document =
          LayerDocument.parse(
              request.getDocument(), Prompt.MAX_BYTES, HarpErrorCode.PROMPT_TOO_LARGE);
      document.needType(TYPE);
      Prompt prompt = Prompt.parse(document.body());
      check(document, prompt);
      return new Received(document, prompt, expiresAt(document, prompt));
    } catch (HarpException e) {
      throw LayerErrors.of(e);
    }
  }

  private static void check(LayerDocument document, Prompt prompt) throws HarpException {
    if (prompt.requestId().length() > MAX_REQUEST_ID) {
      throw LayerErrors.schema("The requestId has more than " + MAX_REQUEST_ID + " characters.");
    }
    if (document
        .envelope()
        .filter(around -> !around.requestId().equals(prompt.requestId()))
        .isPresent()) {
      throw LayerErrors.schema("The envelope names another requestId than the prompt.");
    }
    if (!prompt.target().equals(TARGET)) {
      throw new HarpException(
          HarpErrorCode.PROMPT_TARGET_UNSUPPORTED,
          "unsupported_target",
          "The target is not supported; this server takes " + TARGET + " only.");
    }
  }

  /** The envelope may make the time shorter, and not longer: nobody has hashed what it says. */
  private static Optional<Instant> expiresAt(LayerDocument document, Prompt prompt)
      throws HarpException {
    Optional<String> around = document.envelope().flatMap(envelope -> envelope.expiresAt());
    return Stream.concat(
            prompt.expiresAt().stream(),
            around.isPresent() ? Stream.of(Times.parse(around.get())) : Stream.empty())
        .min(Instant::compareTo);
  }

  private PromptOutcome send(Received received) {
    Caller caller = Caller.current();
    Prompt prompt = received.prompt();
    try {
      return commands.fenced(
          FencedWrite.SEND_PROMPT,
          caller.tenant(),
          caller.actor(),
          write -> {
            try {
              return rules.send(write, caller, prompt, received.expiresAt());
            } catch (HarpException e) {
              throw LayerErrors.of(e, prompt.requestId());
            }
          });
    } catch (ProtocolException refusal) {
      return PromptOutcome.refused(refusal, prompt);
    }
  }
}
