package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ResumingStream;
import dev.bridle.cli.rest.StreamEvent;
import dev.bridle.proof.replay.ReplayFault;
import dev.bridle.proof.verify.OneLine;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Lets a server replay tasks, and follows each replay to its end. */
final class OnlineReplay {
  private static final String TASKS = "/v1/tasks/";

  private final RestClient client;
  private final ReplayDepth depth;
  private final PrintWriter err;
  private final String server;

  /**
   * Creates replays on a server.
   *
   * @param depth what is replayed
   * @param err for progress and notices
   * @param server the options that select the server in a command, each with a leading space
   */
  OnlineReplay(RestClient client, ReplayDepth depth, PrintWriter err, String server) {
    this.client = client;
    this.depth = depth;
    this.err = err;
    this.server = server;
  }

  /**
   * Replays a task that has ended.
   *
   * @throws CommandFailed with the server's error, if there is no such task or it has not ended
   */
  OnlineResult replay(String task) {
    JsonNode accepted =
        client.post(
            TASKS + RestClient.escape(task) + "/replay",
            JsonLines.object().put("depth", depth.toString()),
            UUID.randomUUID().toString());
    String id = accepted.path("id").asText();
    String origin = accepted.at("/replay/origin_task_id").asText(task);
    waitsFor(accepted.path("assigned_agent_id").asText());
    LeavingHint hint = LeavingHint.of(err, watch(id));
    try {
      return follow(new Ends(task, origin, id));
    } catch (CommandFailed e) {
      err.println("bridle: " + watch(id));
      err.flush();
      throw e;
    } finally {
      hint.close();
    }
  }

  /** Says whom a replay waits for whose handler runs: it may be that there is none. */
  private void waitsFor(String agent) {
    if (depth == ReplayDepth.EXECUTE) {
      String name = OneLine.of(agent.substring(agent.indexOf(':') + 1));
      err.println(
          "bridle: waiting for a worker of "
              + (name.isEmpty() ? "no agent" : "the agent " + name)
              + " that runs replays");
      err.flush();
    }
  }

  /** Returns the content of an artifact. */
  byte[] content(String artifact) {
    return client.bytes("/v1/artifacts/" + RestClient.escape(artifact) + "/content");
  }

  private String watch(String id) {
    return "the replay goes on; follow it with 'bridle task watch " + id + server + "'";
  }

  private OnlineResult follow(Ends ends) {
    ReplayProgress progress = new ReplayProgress(err);
    new ResumingStream(
            client,
            TASKS + RestClient.escape(ends.replay) + "/stream",
            notice -> {
              err.println("bridle: " + notice);
              err.flush();
            })
        .readWhile(event -> ends.takes(event, progress));
    return ends.result();
  }

  /** Collects from the events of a replay how it ends. */
  private static final class Ends {
    private static final Optional<ReplayFault> NONE = Optional.empty();

    private final String source;
    private final String origin;
    private final String replay;
    private String status = "";
    private Optional<OnlineResult.Segment> segment = Optional.empty();
    private Optional<ReplayFault> fault = Optional.empty();

    Ends(String source, String origin, String replay) {
      this.source = source;
      this.origin = origin;
      this.replay = replay;
    }

    /** Returns whether more events follow. */
    boolean takes(StreamEvent event, ReplayProgress progress) {
      JsonNode payload = event.body().path("payload");
      switch (event.kind()) {
        case "replay.event_replayed" -> progress.at(payload.path("to").asLong() + 1);
        case "replay.completed" -> found(Optional.of(OnlineResult.Segment.of(payload)), NONE);
        case "replay.failed" -> found(Optional.empty(), Optional.of(OnlineResult.fault(payload)));
        default -> {}
      }
      if (event.endsTask()) {
        status = event.kind().replaceFirst("^task\\.", "").toUpperCase(Locale.ROOT);
      }
      return !event.endsTask();
    }

    /** A run after a crash says again what it finds: the last one counts. */
    private void found(Optional<OnlineResult.Segment> whole, Optional<ReplayFault> first) {
      segment = whole;
      fault = first;
    }

    OnlineResult result() {
      return new OnlineResult(source, origin, replay, status, segment, fault);
    }
  }
}
