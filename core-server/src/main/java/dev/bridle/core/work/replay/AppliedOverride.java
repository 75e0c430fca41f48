package dev.bridle.core.work.replay;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.event.v1.ReplayEventMetadata;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.record.v1.ReplacedValue;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.replay.v1.ReplayOverrideKind;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;

/**
 * An override that a run has taken, as the event and the receipt's delta say it: by hashes alone
 * (replay contract, section "Receipt deltas").
 */
record AppliedOverride(String origin, StepRecord step) {
  private static final String KIND = "REPLAY_OVERRIDE_KIND_";
  private static final int HALF = 32;

  private String key() {
    return step.getStep().getStepKey();
  }

  private ReplacedValue replaced() {
    return step.getReplaced();
  }

  private static String kind(ReplayOverrideKind kind) {
    return kind.name().substring(KIND.length()).toLowerCase(Locale.ROOT);
  }

  /** Returns the id of the delta, which is the same for each replay of the origin. */
  private String deltaId() {
    byte[] hash = Sha256.of((origin + "\n" + key()).getBytes(StandardCharsets.UTF_8)).bytes();
    return "delta_" + HexFormat.of().formatHex(hash).substring(0, HALF);
  }

  /** Returns whether the run itself has computed the value. */
  boolean isRefreshed() {
    return replaced().getRefreshed();
  }

  /** Returns the event which says that the value was used. */
  EventDraft event() {
    ReplayEventMetadata.Builder about =
        ReplayEventMetadata.newBuilder()
            .setSourceTaskId(origin)
            .setOverrideKey(key())
            .setReceiptDeltaId(deltaId());
    if (!replaced().getEventId().isEmpty()) {
      about.setOriginalEventId(replaced().getEventId());
    }
    return EventDraft.of(
            EventKinds.REPLAY_EVENT_REPLAYED,
            Payload.of()
                .text("change", isRefreshed() ? "refreshed" : "overridden")
                .text("step_key", key())
                .text("kind", kind(replaced().getKind()))
                .text("before_sha256", spell(replaced().getBefore()))
                .text("after_sha256", spell(replaced().getAfter()))
                .text("artifact_id", replaced().getArtifactId())
                .text("reason", replaced().getReason()))
        .replaying(about.build());
  }

  /** Returns what the segment's receipt says of it. */
  ObjectNode facts() {
    ObjectNode facts =
        JsonNodeFactory.instance
            .objectNode()
            .put("delta_id", deltaId())
            .put("key", key())
            .put("kind", kind(replaced().getKind()));
    put(facts, "event_id", replaced().getEventId());
    put(facts, "before_sha256", spell(replaced().getBefore()));
    put(facts, "after_sha256", spell(replaced().getAfter()));
    put(facts, "artifact_id", replaced().getArtifactId());
    put(facts, "reason", replaced().getReason());
    if (isRefreshed()) {
      facts.put("refreshed", true);
    }
    return facts;
  }

  private static void put(ObjectNode facts, String name, String value) {
    if (!value.isEmpty()) {
      facts.put(name, value);
    }
  }

  private static String spell(ByteString hash) {
    return hash.isEmpty() ? "" : Sha256.ofBytes(hash.toByteArray()).toString();
  }
}
