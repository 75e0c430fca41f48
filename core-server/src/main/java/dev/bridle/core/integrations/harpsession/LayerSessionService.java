package dev.bridle.core.integrations.harpsession;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.core.integrations.layer.LayerDocument;
import dev.bridle.core.integrations.layer.LayerErrors;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.session.SessionEvent;
import dev.bridle.relay.v1.GetLayerSessionRequest;
import dev.bridle.relay.v1.GetLayerSessionResponse;
import dev.bridle.relay.v1.LayerSessionServiceGrpc;
import dev.bridle.relay.v1.PostSessionEventRequest;
import dev.bridle.relay.v1.PostSessionEventResponse;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;
import java.time.Clock;

/** Takes and shows events of sessions. */
final class LayerSessionService extends LayerSessionServiceGrpc.LayerSessionServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final Clock clock;
  private final SessionIntake intake;
  private final SessionPages pages;
  private final String gatewayId;

  LayerSessionService(
      CoreContext context, SessionIntake intake, SessionPages pages, String gatewayId) {
    this.store = context.store();
    this.commands = context.commands();
    this.clock = context.clock();
    this.intake = intake;
    this.pages = pages;
    this.gatewayId = gatewayId;
  }

  /** An event, and the document that it came in. */
  private record Received(LayerDocument document, ReceivedEvent event) {}

  @Override
  public void postSessionEvent(
      PostSessionEventRequest request, StreamObserver<PostSessionEventResponse> response) {
    Caller caller = Caller.current();
    Received received = read(request);
    SessionEvent event = received.event().event();
    var unused =
        commands.fenced(
            FencedWrite.POST_SESSION_EVENT,
            caller.tenant(),
            caller.actor(),
            write -> {
              try {
                intake.post(write, caller, received.event());
                return true;
              } catch (HarpException e) {
                throw LayerErrors.of(e).with("session_id", event.sessionId());
              }
            });
    ObjectNode answer =
        JsonNodeFactory.instance
            .objectNode()
            .put("sessionId", event.sessionId())
            .put("eventType", event.type())
            .put("status", "accepted");
    Replies.send(
        response,
        PostSessionEventResponse.newBuilder()
            .setDocument(
                received
                    .document()
                    .answer("session.event.accepted", answer, gatewayId, clock.millis()))
            .build());
  }

  private static Received read(PostSessionEventRequest request) {
    try {
      LayerDocument document =
          LayerDocument.parse(
              request.getDocument(), SessionEvent.MAX_BYTES, HarpErrorCode.TRANSPORT);
      ReceivedEvent event = ReceivedEvent.of(document.body());
      document.needType(event.event().type());
      return new Received(document, event);
    } catch (HarpException e) {
      throw LayerErrors.of(e);
    }
  }

  @Override
  public void getLayerSession(
      GetLayerSessionRequest request, StreamObserver<GetLayerSessionResponse> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        GetLayerSessionResponse.newBuilder()
            .setDocument(store.read(tr -> pages.page(tr, caller, request)))
            .build());
  }
}
