package dev.bridle.core.integrations.harpsession;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.relay.v1.GetLayerSessionRequest;
import dev.bridle.relay.v1.LayerSessionServiceGrpc;
import dev.bridle.relay.v1.PostSessionEventRequest;
import io.grpc.Channel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Events of sessions, and what is answered to them. */
public final class SampleSessions {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SampleSessions() {}

  private static ObjectNode event(String session, String type) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("sessionId", session)
        .put("eventType", "session." + type);
  }

  public static ObjectNode start(String session, Instant at) {
    return event(session, "start").put("createdAt", at.toString()).put("agentHost", "laptop");
  }

  public static ObjectNode status(String session, String state, Instant at) {
    return event(session, "status").put("state", state).put("updatedAt", at.toString());
  }

  public static ObjectNode end(String session, Instant at) {
    return event(session, "end").put("endedAt", at.toString()).put("reason", "user_end");
  }

  public static ObjectNode snapshot(String session, String id, String summary, Instant at) {
    ObjectNode snapshot =
        event(session, "snapshot")
            .put("snapshotId", id)
            .put("snapshotType", "summary")
            .put("createdAt", at.toString())
            .put("snapshotHashAlg", "SHA-256");
    snapshot.putObject("payload").put("summary", summary);
    try {
      return snapshot.put("snapshotHash", HarpJson.hashWithout(snapshot, "snapshotHash"));
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  public static JsonNode post(Channel caller, JsonNode event) {
    try {
      return MAPPER.readTree(
          LayerSessionServiceGrpc.newBlockingStub(caller)
              .postSessionEvent(
                  PostSessionEventRequest.newBuilder()
                      .setDocument(ByteString.copyFrom(MAPPER.writeValueAsBytes(event)))
                      .build())
              .getDocument()
              .newInput());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all of a session, page by page. */
  public static JsonNode get(Channel caller, String session, int limit) {
    GetLayerSessionRequest.Builder ask =
        GetLayerSessionRequest.newBuilder().setSessionId(session).setLimit(limit);
    ObjectNode page = page(caller, ask);
    ObjectNode all = page;
    while (page.path("nextCursor").isTextual()) {
      page = page(caller, ask.setCursor(page.path("nextCursor").textValue()));
      all.withArray("events").addAll(page.withArray("events"));
      all.set("nextCursor", page.get("nextCursor"));
    }
    return all;
  }

  private static ObjectNode page(Channel caller, GetLayerSessionRequest.Builder ask) {
    try {
      return (ObjectNode)
          MAPPER.readTree(
              LayerSessionServiceGrpc.newBlockingStub(caller)
                  .getLayerSession(ask.build())
                  .getDocument()
                  .newInput());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the types of the events of a session, without what all begin with. */
  public static List<String> types(JsonNode session) {
    List<String> types = new ArrayList<>();
    session
        .path("events")
        .forEach(event -> types.add(event.path("eventType").asText().replace("session.", "")));
    return types;
  }
}
