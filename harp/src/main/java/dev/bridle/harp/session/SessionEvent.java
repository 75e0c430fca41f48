package dev.bridle.harp.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What an enforcer says of an agent's session (HARP-SESSION, sections 2 to 6). Immutable. */
public final class SessionEvent {
  /** The most bytes of an event, which a snapshot may have: 5 MB. */
  public static final int MAX_BYTES = 5_000_000;

  private static final String HASH = "snapshotHash";
  private static final String TYPE = "eventType";

  private static final Map<String, Shape> SHAPES =
      Map.of(
          "session.start",
          begin("The start")
              .times(true, "createdAt")
              .texts(true, "agentHost")
              .texts(false, "repoRef")
              .objects(false, "metadata"),
          "session.status",
          begin("The status")
              .word(
                  true,
                  "state",
                  HarpErrorCode.SESSION_INVALID_STATE,
                  "idle",
                  "planning",
                  "editing",
                  "executing",
                  "waiting_approval",
                  "error")
              .times(true, "updatedAt")
              .objects(false, "details"),
          "session.snapshot",
          begin("The snapshot")
              .texts(true, "snapshotId")
              .word(
                  true,
                  "snapshotType",
                  HarpErrorCode.UNSUPPORTED,
                  "summary",
                  "plan",
                  "diff_summary",
                  "context")
              .times(true, "createdAt")
              .objects(true, "payload")
              .word(true, "snapshotHashAlg", HarpErrorCode.UNSUPPORTED, "SHA-256")
              .hashes(true, HASH)
              .objects(false, "metadata"),
          "session.end",
          begin("The end")
              .times(true, "endedAt")
              .word(true, "reason", HarpErrorCode.TRANSPORT, "user_end", "timeout", "policy_kill")
              .objects(false, "metadata"));

  private final ObjectNode json;

  private SessionEvent(ObjectNode json) {
    this.json = json;
  }

  private static Shape begin(String name) {
    return Shape.of(name).texts(true, "sessionId", TYPE);
  }

  /**
   * Parses an event; the hash of a snapshot is checked.
   *
   * @throws HarpException {@code TRANSPORT}, {@code UNSUPPORTED}, {@code SESSION_INVALID_STATE},
   *     {@code CANONICALIZATION} or {@code HASH_MISMATCH}
   */
  public static SessionEvent parse(byte[] bytes) throws HarpException {
    ObjectNode json = HarpJson.parse(bytes, MAX_BYTES);
    Shape shape = SHAPES.get(json.path(TYPE).asText(""));
    if (shape == null) {
      throw new HarpException(
          HarpErrorCode.UNSUPPORTED, "unknown_event_type", "The event is of an unknown type.");
    }
    shape.check(json);
    SessionEvent event = new SessionEvent(json);
    if (event.snapshot().isPresent()
        && !HarpJson.hashWithout(json, HASH).equals(json.get(HASH).textValue())) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH, "hash", "snapshotHash is not the hash of the snapshot.");
    }
    return event;
  }

  /**
   * What makes a snapshot one of a kind.
   *
   * @param id its id in the session
   * @param hash its hash
   */
  public record Snapshot(String id, String hash) {}

  /** Returns the session's id. */
  public String sessionId() {
    return json.get("sessionId").textValue();
  }

  /** Returns the type, such as {@code session.start}. */
  public String type() {
    return json.get(TYPE).textValue();
  }

  /** Returns the snapshot's id and hash; empty for an event of another type. */
  public Optional<Snapshot> snapshot() {
    return type().equals("session.snapshot")
        ? Optional.of(new Snapshot(json.get("snapshotId").textValue(), json.get(HASH).textValue()))
        : Optional.empty();
  }

  /** Returns when it happened, by which events of a session are ordered. */
  public Instant at() {
    String member =
        Map.of("session.status", "updatedAt", "session.end", "endedAt")
            .getOrDefault(type(), "createdAt");
    try {
      return Times.parse(json.get(member).textValue());
    } catch (HarpException e) {
      throw new IllegalStateException("checked when it was read", e);
    }
  }

  /** Returns a copy as JSON. */
  public ObjectNode json() {
    return json.deepCopy();
  }

  @Override
  public String toString() {
    return "SessionEvent[" + sessionId() + ", " + type() + "]";
  }
}
