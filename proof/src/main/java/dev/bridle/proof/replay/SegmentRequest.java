package dev.bridle.proof.replay;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a replay has gone through, as the receipt of its segment says.
 *
 * @param depth what was replayed
 * @param checkpoint the sequence of the event that the handler's run began after; empty if it began
 *     at the task's first one
 * @param run what the handler did where recorded values were replaced; empty if none were
 */
public record SegmentRequest(Depth depth, OptionalLong checkpoint, Optional<ReplacedRun> run) {
  /** The log alone. */
  public static final SegmentRequest LOG =
      new SegmentRequest(Depth.LOG, OptionalLong.empty(), Optional.empty());

  /** What is replayed. */
  public enum Depth {
    /** The log alone. */
    LOG,
    /** The handler, then the log. */
    EXECUTE;

    /** Returns how requests and receipts spell it. */
    public String spelling() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns the request as the receipt states it. */
  ObjectNode json() {
    ObjectNode request =
        JsonNodeFactory.instance.objectNode().put("depth", depth.spelling()).put("mode", mode());
    checkpoint.ifPresent(sequence -> request.put("checkpoint", sequence));
    run.ifPresent(replaced -> request.set("override", replaced.request()));
    run.map(ReplacedRun::refresh)
        .filter(keys -> !keys.isEmpty())
        .ifPresent(keys -> request.set("refresh", keys));
    return request;
  }

  private String mode() {
    if (checkpoint.isPresent()) {
      return "from_checkpoint";
    }
    return run.isPresent() ? "with_overrides" : "exact";
  }
}
