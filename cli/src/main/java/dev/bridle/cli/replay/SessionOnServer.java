package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.StreamEvent;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Lets a server replay the logs of a session's tasks. That is one task, which the command follows
 * to its end.
 */
final class SessionOnServer {
  private final FollowedReplay replays;
  private final OnlineOutput output;
  private final ReplayProgress progress;

  SessionOnServer(FollowedReplay replays, OnlineOutput output, PrintWriter err) {
    this.replays = replays;
    this.output = output;
    this.progress = new ReplayProgress(err);
  }

  /** Replays a session and returns the exit code of its worst task. */
  int replay(String session) {
    JsonNode accepted =
        replays.accepted("/v1/sessions/" + RestClient.escape(session), JsonLines.object());
    Ends ends = new Ends(session, accepted.path("id").asText());
    replays.follow(ends.replay, ends::takes);
    return ends.exitCode();
  }

  /** Prints each task that the replay has come to, and collects how it ends. */
  private final class Ends {
    private final String session;
    private final String replay;
    private Optional<ReplayedCount> count = Optional.empty();
    private int worst = ExitCodes.DONE;

    Ends(String session, String replay) {
      this.session = session;
      this.replay = replay;
    }

    /** Returns whether more events follow. */
    boolean takes(StreamEvent event) {
      JsonNode payload = event.body().path("payload");
      switch (event.kind()) {
        case "replay.event_replayed" -> progress.at(payload.path("to").asLong() + 1);
        case "replay.completed" ->
            print(result(payload, Optional.of(OnlineResult.Segment.of(payload))));
        case "replay.failed" -> {
          // What is about the session as a whole, the end says.
          if (payload.has("source_task_id")) {
            print(result(payload, Optional.empty()));
          }
        }
        case "session.replayed" -> count = Optional.of(ReplayedCount.of(payload));
        default -> {}
      }
      if (event.endsTask()) {
        ended(event.kind().replaceFirst("^task\\.", "").toUpperCase(Locale.ROOT), payload);
      }
      return !event.endsTask();
    }

    private OnlineResult result(JsonNode payload, Optional<OnlineResult.Segment> segment) {
      String task = OnlineResult.text(payload, "source_task_id");
      return new OnlineResult(
          task,
          task,
          replay,
          "",
          segment,
          segment.isPresent()
              ? Optional.empty()
              : Optional.of(new OnlineResult.Broken(OnlineResult.fault(payload), true)),
          List.of());
    }

    private void print(OnlineResult result) {
      output.line(result);
      worst = ReplayedCount.worse(worst, result.exitCode());
    }

    private void ended(String status, JsonNode payload) {
      if (count.isPresent()) {
        output.session(session, count.get());
        return;
      }
      JsonNode failure = payload.path("failure");
      String code = OnlineResult.text(failure, "code");
      worst =
          ReplayedCount.worse(
              worst,
              code.equals("replay_unavailable")
                  ? ExitCodes.RECEIPT_NOT_COMPLETE
                  : ExitCodes.TASK_NOT_COMPLETED);
      output.noSession(session, replay, status, OnlineResult.text(failure, "message"));
    }

    int exitCode() {
      return worst;
    }
  }
}
