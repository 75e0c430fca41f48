package dev.bridle.core.api.discovery;

import dev.bridle.record.v1.EventRetention;
import dev.bridle.runtime.v1.Capability;
import dev.bridle.runtime.v1.RetentionWindow;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The server's capabilities: the one list behind the agent card and the runtime resource. */
final class Capabilities {
  private static final List<Capability> ALWAYS =
      List.of(
          of("rest", "Requests and answers over HTTP."),
          of("sse", "Live event streams that resume."),
          of("websocket", "The same streams and commands over WebSockets."),
          of("workspaces", "Workspaces, which isolate all other resources."),
          of("workspace_files", "Text files of workspaces."),
          of("personas", "Personas, which sessions and tasks refer to."),
          of("skills", "Skills, which sessions refer to."),
          of("quotas", "Quotas, checked before work starts and metered as it runs."),
          of("sessions", "Sessions, and closing them."),
          of("session_fork", "Forks of sessions, on branches."),
          of("session_truncate", "Truncation of transcripts in place."),
          of("branches", "Branches of sessions."),
          of("tasks", "Durable tasks, and canceling them."),
          of("messages", "Messages of sessions and to tasks."),
          of("events", "Ranges of events and single ones."),
          of("artifacts", "Artifacts and their content."),
          of("artifact_upload", "Upload of an artifact's content."),
          of("outcomes", "Outcomes of tasks."),
          of("permissions", "Questions before an action, approvals and standing grants."),
          of("policies", "Rules and roles for the approval of actions."),
          of("host_tools", "Tools that agents ask their clients to run."),
          of("memories", "Memories, stored apart from transcripts."),
          of("vaults", "Write-only secrets for agents and connectors."),
          of(
              "connectors",
              "Deliveries from other systems, each turned into a task or message once."),
          of("schedules", "One-time and recurring tasks."),
          of("harp_repos", "Repositories that prompts of HARP name, mapped to workspaces."),
          of("redactions", "Content erased for good, while logs and receipts still verify."),
          of("webhooks", "Events delivered to other systems, at least once and in order."),
          of("idempotency", "Writes that are applied once per idempotency key."));

  private static final Capability RECEIPTS =
      of("receipts", "A signed, hash-chained receipt of each task, which anybody can verify.");

  /** A replay compares a log with its receipt, so that there is none without receipts. */
  private static final Capability REPLAY =
      of("replay", "Replays of tasks and sessions from their recorded events.");

  private Capabilities() {}

  /**
   * Returns the capabilities.
   *
   * @param receipts whether this server issues receipts
   */
  static List<Capability> all(boolean receipts) {
    return receipts ? Stream.concat(ALWAYS.stream(), Stream.of(RECEIPTS, REPLAY)).toList() : ALWAYS;
  }

  /**
   * Returns the capabilities as a tenant has them: {@code replay} says how long its events are
   * kept, which is how long they can be replayed.
   */
  static List<Capability> of(boolean receipts, EventRetention retention) {
    return all(receipts).stream()
        .map(
            capability ->
                capability.equals(REPLAY)
                    ? capability.toBuilder().setRetention(retention(retention)).build()
                    : capability)
        .toList();
  }

  private static RetentionWindow retention(EventRetention retention) {
    RetentionWindow.Builder window = RetentionWindow.newBuilder();
    if (retention.getMaxAgeMillis() > 0) {
      window.setMaxAgeSeconds(Duration.ofMillis(retention.getMaxAgeMillis()).toSeconds());
    }
    if (retention.getMaxEvents() > 0) {
      window.setMaxEvents(retention.getMaxEvents());
    }
    return window.build();
  }

  private static Capability of(String id, String description) {
    return Capability.newBuilder().setId(id).setDescription(description).build();
  }
}
