package dev.bridle.proof.replay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds the deciding event of each approval by the commitment that the receipt names. */
final class ApprovalList implements ListFold {
  private static final String CHECK = "approvals";
  private static final String POINTER = "/approvals";
  private static final String APPROVED = "approved";

  private final SourceReceipt source;
  private final List<JsonNode> listed;
  private int next;
  private long hidden;

  ApprovalList(SourceReceipt source) {
    this.source = source;
    this.listed = source.list(POINTER);
  }

  @Override
  public void add(LogLine line) throws ReplayException {
    boolean always =
        switch (line.event()) {
          case "tool.approved", "vendor.bridle.permission_expired" -> true;
          default -> false;
        };
    boolean sometimes =
        switch (line.event()) {
          case "tool.denied", "vendor.bridle.permission_used", "vendor.bridle.permission_changed" ->
              true;
          default -> false;
        };
    if (!always && !sometimes) {
      return;
    }
    if (next < listed.size() && event(listed.get(next)).equals(line.commitment().toString())) {
      compare(line, listed.get(next));
      next++;
    } else if (always && !source.isNotReported(POINTER)) {
      throw diverged(
          line,
          POINTER + "/" + next,
          next < listed.size() ? event(listed.get(next)) : "no more approvals",
          line.commitment().toString());
    }
  }

  /** Returns the commitment of the event that decided an approval. */
  private static String event(JsonNode approval) {
    JsonNode signed = approval.at("/quorum_proof/event");
    return signed.isTextual() ? signed.textValue() : approval.path("evidence_hash").asText();
  }

  private void compare(LogLine line, JsonNode approval) throws ReplayException {
    String pointer = POINTER + "/" + next;
    String decidedAt = approval.path("decided_at").asText();
    if (!SourceReceipt.isTime(decidedAt, line.createdAt())) {
      throw diverged(line, pointer + "/decided_at", decidedAt, line.createdAt().toString());
    }
    Optional<JsonNode> payload = line.json();
    if (payload.isEmpty()) {
      hidden++;
      return;
    }
    JsonNode said = payload.get();
    boolean granted = line.event().equals("vendor.bridle.permission_used");
    demand(line, approval, "decision", decision(line, said));
    demand(
        line,
        approval,
        "approval_id",
        said.path(granted ? "grant_id" : "permission_request_id").asText());
    if (said.has("decided_by")) {
      demand(line, approval, "actor", said.path("decided_by").asText());
    }
  }

  private void demand(LogLine line, JsonNode approval, String member, String found)
      throws ReplayException {
    String stated = approval.path(member).asText();
    if (!stated.equals(found)) {
      throw diverged(line, POINTER + "/" + next + "/" + member, stated, found);
    }
  }

  private static String decision(LogLine line, JsonNode said) {
    return switch (line.event()) {
      case "tool.denied" -> "denied";
      case "vendor.bridle.permission_changed" -> "canceled";
      case "vendor.bridle.permission_expired" ->
          said.path("reason").asText().equals("timed_out") ? "timeout" : "canceled";
      default -> APPROVED;
    };
  }

  private static ReplayException diverged(
      LogLine line, String what, String expected, String found) {
    return new ReplayException(ReplayFault.diverged(line.sequence(), what, expected, found));
  }

  @Override
  public ReplayCheck finish() throws ReplayException {
    if (next < listed.size()) {
      throw new ReplayException(
          ReplayFault.diverged(
              POINTER + "/" + next, "an event with " + event(listed.get(next)), "none"));
    }
    OptionalLong length = source.length("approval");
    if (hidden > 0 || length.orElse(next) > next) {
      return ReplayCheck.notChecked(
          CHECK,
          next
              - hidden
              + " of "
              + length.orElse(next)
              + " are as in the receipt; the others are not listed or not disclosed");
    }
    return ReplayCheck.passed(CHECK, next == 0 ? "none" : next + " as in the receipt");
  }
}
