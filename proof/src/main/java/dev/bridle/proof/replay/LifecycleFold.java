package dev.bridle.proof.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.proof.hash.Sha256;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Follows the task's lifecycle (protocol section "Task lifecycle") through its events. */
final class LifecycleFold {
  private static final String SUBMITTED = "SUBMITTED";
  private static final String WORKING = "WORKING";
  private static final String INPUT_REQUIRED = "INPUT_REQUIRED";
  private static final String AUTH_REQUIRED = "AUTH_REQUIRED";
  private static final String NONE = "no state";
  private static final String CHECK = "lifecycle";

  /** The state that an event leads to, and the states from which it may. */
  private record Transition(String to, Set<String> from) {}

  private static final Set<String> LIVE = Set.of(SUBMITTED, WORKING, INPUT_REQUIRED, AUTH_REQUIRED);

  private static final Map<String, Transition> TABLE =
      Map.of(
          "task.submitted", new Transition(SUBMITTED, Set.of(NONE)),
          "task.started", new Transition(WORKING, Set.of(SUBMITTED)),
          "task.input_required", new Transition(INPUT_REQUIRED, Set.of(WORKING)),
          "task.auth_required", new Transition(AUTH_REQUIRED, Set.of(WORKING)),
          "task.status_changed", new Transition(WORKING, Set.of(INPUT_REQUIRED, AUTH_REQUIRED)),
          "task.completed", new Transition("COMPLETED", Set.of(WORKING)),
          "task.failed", new Transition("FAILED", LIVE),
          "task.canceled", new Transition("CANCELED", LIVE));

  private static final Map<String, String> FINAL_STATES =
      Map.of("COMPLETED", "SUCCEEDED", "FAILED", "FAILED", "CANCELED", "CANCELED");

  private String state = NONE;
  private long transitions;
  private Optional<Instant> submitted = Optional.empty();
  private Optional<Instant> started = Optional.empty();
  private Optional<LogLine> terminal = Optional.empty();

  /** Follows an event. */
  void add(LogLine line) throws ReplayException {
    if (terminal.isPresent()) {
      throw diverged(line, "no event after " + terminal.get().event(), line.event());
    }
    Transition transition = TABLE.get(line.event());
    if (transition == null) {
      return;
    }
    if (!transition.from().contains(state)) {
      throw diverged(line, "an event that is allowed in " + state, line.event());
    }
    Optional<JsonNode> payload = line.json();
    if (payload.isPresent()) {
      demandState(line, payload.get(), "status", transition.to());
      demandState(line, payload.get(), "previous_status", state);
    }
    state = transition.to();
    transitions++;
    switch (line.event()) {
      case "task.submitted" -> submitted = Optional.of(line.createdAt());
      case "task.started" -> started = Optional.of(line.createdAt());
      default -> {}
    }
    if (FINAL_STATES.containsKey(state)) {
      terminal = Optional.of(line);
    }
  }

  private static void demandState(LogLine line, JsonNode payload, String member, String expected)
      throws ReplayException {
    JsonNode stated = payload.path(member);
    if (stated.isTextual() && !stated.textValue().equals(expected)) {
      throw diverged(line, "`" + member + "` " + expected, stated.textValue());
    }
  }

  private static ReplayException diverged(LogLine line, String expected, String found) {
    return new ReplayException(ReplayFault.diverged(line.sequence(), CHECK, expected, found));
  }

  /** Checks that the events end the task. */
  ReplayCheck finish() throws ReplayException {
    if (terminal.isEmpty()) {
      throw new ReplayException(
          ReplayFault.diverged(CHECK, "an event that ends the task", "the state " + state));
    }
    return ReplayCheck.passed(
        CHECK, transitions + " lifecycle events up to " + state + ", each allowed where it is");
  }

  /** Returns the state that the events lead to. */
  String state() {
    return state;
  }

  /** Checks the end that the receipt states; called once the lifecycle has finished. */
  ReplayCheck finalState(SourceReceipt source) throws ReplayException {
    String found = FINAL_STATES.get(state);
    String stated = source.receipt().finalState();
    if (!stated.equals(found)) {
      throw new ReplayException(
          ReplayFault.diverged(
              terminal.orElseThrow().sequence(),
              "final_state",
              stated,
              found + " (" + state + ")"));
    }
    JsonNode commitment = source.at("/lifecycle/failure/commitment");
    Sha256 last = terminal.orElseThrow().commitment();
    if (commitment.isTextual() && !commitment.textValue().equals(last.toString())) {
      throw new ReplayException(
          ReplayFault.diverged(
              terminal.orElseThrow().sequence(),
              "/lifecycle/failure/commitment",
              commitment.textValue(),
              last.toString()));
    }
    return ReplayCheck.passed("final_state", state + ", " + stated + " in the receipt");
  }

  /** Checks the times that the receipt states; called once the lifecycle has finished. */
  ReplayCheck times(SourceReceipt source) throws ReplayException {
    Instant end = terminal.orElseThrow().createdAt();
    demandTime(source, "created_at", submitted.orElse(end));
    demandTime(source, "started_at", started.orElse(end));
    demandTime(source, "completed_at", end);
    return ReplayCheck.passed("times", "created, started and completed as in the receipt");
  }

  private static void demandTime(SourceReceipt source, String member, Instant found)
      throws ReplayException {
    JsonNode stated = source.at("/lifecycle/" + member);
    if (stated.isTextual() && !SourceReceipt.isTime(stated.textValue(), found)) {
      throw new ReplayException(
          ReplayFault.diverged("/lifecycle/" + member, stated.textValue(), found.toString()));
    }
  }
}
