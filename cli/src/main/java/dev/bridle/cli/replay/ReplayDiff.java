package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.verify.OneLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Shows what a replay with overrides did otherwise: what a step reported before and after, and
 * which members of the receipt differ.
 */
final class ReplayDiff {
  private static final List<String> MEMBERS =
      List.of(
          "/lifecycle/final_state",
          "/lifecycle/failure",
          "/replay_input/materials",
          "/final_artifacts");

  private final RestClient client;

  /** Reads from the server that has made the replay. */
  ReplayDiff(RestClient client) {
    this.client = client;
  }

  /** A part of the source with what the replay has in its place; either may be missing. */
  record Pair(JsonNode before, JsonNode after) {
    /** Returns what was removed and what was added, each as a line. */
    List<String> lines() {
      List<String> lines = new ArrayList<>();
      if (!before.isMissingNode()) {
        lines.add("      - " + OneLine.of(before.toString()));
      }
      if (!after.isMissingNode()) {
        lines.add("      + " + OneLine.of(after.toString()));
      }
      return lines;
    }

    ObjectNode json() {
      ObjectNode json = JsonLines.object();
      json.set("before", before.isMissingNode() ? null : before);
      json.set("after", after.isMissingNode() ? null : after);
      return json;
    }
  }

  /**
   * Returns what a step of the source and of the replay has reported; empty if nothing is known of
   * either.
   */
  Optional<Pair> of(StepChange change) {
    boolean isKnown = change.isFollowed() || change.change().equals("not_taken");
    if (!isKnown) {
      return Optional.empty();
    }
    JsonNode before =
        change.originalEvent().isEmpty()
            ? missing()
            : client.get("/v1/events/" + RestClient.escape(change.originalEvent())).path("payload");
    return Optional.of(new Pair(before, change.after().orElseGet(ReplayDiff::missing)));
  }

  /** A member of receipts that differs. */
  record Member(String pointer, Pair pair) {}

  /** Returns the members in which the segment's receipt differs from that of the source. */
  List<Member> members(OnlineResult result) {
    JsonNode task = client.get("/v1/tasks/" + RestClient.escape(result.origin()));
    JsonNode source = ServerReceipt.read(client, task.path("receipt_id").asText()).json();
    JsonNode segment =
        result
            .segment()
            .map(made -> client.bytes("/v1/artifacts/" + made.artifactId() + "/content"))
            .<JsonNode>map(bytes -> Receipt.parse(bytes).json())
            .orElseGet(ReplayDiff::missing);
    List<Member> differ = new ArrayList<>();
    for (String pointer : MEMBERS) {
      if (!source.at(pointer).equals(segment.at(pointer))) {
        differ.add(new Member(pointer, new Pair(source.at(pointer), segment.at(pointer))));
      }
    }
    return differ;
  }

  private static JsonNode missing() {
    return JsonLines.object().path("");
  }
}
