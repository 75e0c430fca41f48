package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Runs the handlers of a session's tasks that have ended again, one after the other, in the order
 * in which they were submitted. Tasks that are replays themselves are left out.
 */
final class SessionReplay {
  private final RestClient client;
  private final OnlineReplay replays;
  private final OnlineOutput output;

  SessionReplay(RestClient client, OnlineReplay replays, OnlineOutput output) {
    this.client = client;
    this.replays = replays;
    this.output = output;
  }

  /** Replays a session and returns the exit code of its worst task. */
  int replay(String session) {
    Deque<String> ended = new ArrayDeque<>();
    int[] leftOut = new int[2];
    client.rows(
        "/v1/sessions/" + RestClient.escape(session) + "/tasks",
        Integer.MAX_VALUE,
        task -> {
          if (task.path("replay").isObject()) {
            leftOut[1]++;
          } else if (hasEnded(task)) {
            ended.addFirst(task.path("id").asText()); // The list has the newest first.
          } else {
            leftOut[0]++;
          }
        });
    int worst = ExitCodes.DONE;
    int broken = 0;
    for (String task : ended) {
      OnlineResult result = replays.replay(task);
      output.line(result);
      broken += result.segment().isPresent() ? 0 : 1;
      worst = ReplayedCount.worse(worst, result.exitCode());
    }
    output.session(
        session, new ReplayedCount(ended.size() - broken, broken, leftOut[0], leftOut[1]));
    return worst;
  }

  private static boolean hasEnded(JsonNode task) {
    return RecordCommand.ENDED.contains(task.path("status").asText());
  }
}
