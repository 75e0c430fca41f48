package dev.bridle.core.kernel.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.Predicate;

/**
 * The lines from which a reader recomputes the digest of a task's log and the commitments of its
 * events.
 */
public final class LogEvidence {
  private LogEvidence() {}

  /**
   * Returns an event's line as canonical JSON with a line feed: the members that {@link LogDigest}
   * is over, and payload and salt where both are stored and everybody who may read the event may
   * see what the commitment is over.
   */
  public static ByteString line(StoredEvent stored) {
    return ByteString.copyFrom(CanonicalJson.bytes(members(stored, event -> true)))
        .concat(ByteString.copyFromUtf8("\n"));
  }

  /**
   * Returns the members of an event's line.
   *
   * @param withPayload of which kinds of event payload and salt are wanted
   */
  public static ObjectNode members(StoredEvent stored, Predicate<String> withPayload) {
    EventRecord event = EventRecords.parse(stored);
    ObjectNode line =
        (ObjectNode) StrictJson.parse(LogDigest.line(event).getBytes(StandardCharsets.UTF_8));
    boolean shown =
        withPayload.test(event.getEvent())
            && !event.getPayload().isEmpty()
            && !event.getSalt().isEmpty()
            && EarlierPayloads.shown(event).equals(event.getPayload());
    if (shown) {
      line.put("payload", event.getPayload().toStringUtf8());
      line.put("salt", HexFormat.of().formatHex(event.getSalt().toByteArray()));
    }
    return line;
  }
}
