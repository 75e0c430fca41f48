package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.StreamEvent;
import dev.bridle.proof.verify.OneLine;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lets a server replay tasks, and follows each replay to its end. */
final class OnlineReplay {
  private final RestClient client;
  private final ReplayRequest request;
  private final PrintWriter err;
  private final FollowedReplay replays;

  /**
   * Creates replays on a server.
   *
   * @param request what is replayed
   * @param err for progress and notices
   * @param server the options that select the server in a command, each with a leading space
   */
  OnlineReplay(RestClient client, ReplayRequest request, PrintWriter err, String server) {
    this.client = client;
    this.request = request;
    this.err = err;
    this.replays = new FollowedReplay(client, err, server);
  }

  /**
   * Replays a task that has ended.
   *
   * @throws CommandFailed with the server's error, if there is no such task or it has not ended
   */
  OnlineResult replay(String task) {
    JsonNode accepted = replays.accepted("/v1/tasks/" + RestClient.escape(task), request.body());
    String id = accepted.path("id").asText();
    String origin = accepted.at("/replay/origin_task_id").asText(task);
    waitsFor(accepted.path("assigned_agent_id").asText());
    Ends ends =
        new Ends(
            task,
            origin,
            id,
            keys(accepted.at("/replay/override_keys")),
            keys(accepted.at("/replay/refresh_keys")));
    ReplayProgress progress = new ReplayProgress(err);
    replays.follow(id, event -> ends.takes(event, progress));
    return ends.result();
  }

  private static List<String> keys(JsonNode list) {
    List<String> keys = new ArrayList<>();
    list.forEach(key -> keys.add(OneLine.of(key.asText())));
    return keys;
  }

  /** Says whom a replay waits for whose handler runs: it may be that there is none. */
  private void waitsFor(String agent) {
    if (request.isExecuted()) {
      String name = OneLine.of(agent.substring(agent.indexOf(':') + 1));
      replays.notice(
          "waiting for a worker "
              + (name.isEmpty() ? "" : "of " + name + " ")
              + "that takes replays");
    }
  }

  /** Returns the content of an artifact. */
  byte[] content(String artifact) {
    return client.bytes("/v1/artifacts/" + RestClient.escape(artifact) + "/content");
  }

  /** Collects from the events of a replay how it ends. */
  private static final class Ends {
    private final String source;
    private final String origin;
    private final String replay;
    private String status = "";
    private Optional<OnlineResult.Segment> segment = Optional.empty();
    private Optional<OnlineResult.Broken> broken = Optional.empty();
    private boolean isInLog;
    private final List<String> overrides;
    private final List<String> refreshed;
    private final List<StepChange> changes = new ArrayList<>();

    Ends(
        String source,
        String origin,
        String replay,
        List<String> overrides,
        List<String> refreshed) {
      this.overrides = overrides;
      this.refreshed = refreshed;
      this.source = source;
      this.origin = origin;
      this.replay = replay;
    }

    /** Returns whether more events follow. */
    boolean takes(StreamEvent event, ReplayProgress progress) {
      JsonNode payload = event.body().path("payload");
      complete(event);
      switch (event.kind()) {
        case "replay.event_replayed" -> replayed(event, payload, progress);
        case "replay.started" -> isInLog = true; // The handler, if it ran, has ended.
        case "replay.completed" ->
            found(Optional.of(OnlineResult.Segment.of(payload)), Optional.empty());
        case "replay.failed" ->
            found(
                Optional.empty(),
                Optional.of(new OnlineResult.Broken(OnlineResult.fault(payload), isInLog)));
        default -> {}
      }
      if (event.endsTask()) {
        status = event.kind().replaceFirst("^task\\.", "").toUpperCase(Locale.ROOT);
      }
      return !event.endsTask();
    }

    /**
     * Returns the changes, with the overrides whose steps the handler has not come to, and the
     * values whose new computation has failed.
     */
    private List<StepChange> unused() {
      List<StepChange> all = new ArrayList<>(changes);
      if (segment.isPresent()) {
        overrides.stream().filter(this::isUnused).map(StepChange::unused).forEach(all::add);
        refreshed.stream()
            .filter(this::isUnused)
            .map(key -> isNotTaken(key) ? StepChange.unused(key) : StepChange.failed(key))
            .forEach(all::add);
      }
      return all;
    }

    private boolean isUnused(String key) {
      return changes.stream().noneMatch(each -> each.isOverrideOf(key));
    }

    private boolean isNotTaken(String key) {
      return changes.stream().anyMatch(each -> each.isNotTaken(key));
    }

    private void replayed(StreamEvent event, JsonNode payload, ReplayProgress progress) {
      StepChange.of(event)
          .ifPresentOrElse(changes::add, () -> progress.at(payload.path("to").asLong() + 1));
    }

    /** What was reported otherwise follows the event which says so. */
    private void complete(StreamEvent event) {
      int last = changes.size() - 1;
      if (last >= 0 && changes.get(last).isFollowed() && changes.get(last).after().isEmpty()) {
        changes.set(last, changes.get(last).with(event.body().path("payload")));
      }
    }

    /** A run after a crash says again what it finds: the last one counts. */
    private void found(Optional<OnlineResult.Segment> whole, Optional<OnlineResult.Broken> first) {
      segment = whole;
      broken = first;
    }

    OnlineResult result() {
      return new OnlineResult(source, origin, replay, status, segment, broken, unused());
    }
  }
}
