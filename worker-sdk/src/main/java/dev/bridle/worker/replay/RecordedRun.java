package dev.bridle.worker.replay;

import dev.bridle.worker.TaskHandler;
import java.util.List;
import java.util.Optional;

/** What a handler did, and how it ended. */
public final class RecordedRun {
  private final TaskHandler handler;
  private final Givens givens;
  private final RecordingTape tape;
  private final RunEnd end;

  RecordedRun(TaskHandler handler, Givens givens, RecordingTape tape, RunEnd end) {
    this.handler = handler;
    this.givens = givens;
    this.tape = tape;
    this.end = end;
  }

  /** Returns how the handler ended. */
  public RunEnd end() {
    return end;
  }

  /** Returns the keys of its steps, in the order in which they were recorded. */
  public List<String> stepKeys() {
    return List.copyOf(tape.steps().keySet());
  }

  /** Replays the handler, and returns the first difference; empty if there is none. */
  public Optional<Divergence> replay() {
    return replay(handler);
  }

  /**
   * Replays another handler on this record, such as its next version: nothing is computed, and
   * every step is answered from the record.
   *
   * @return the first difference; empty if there is none
   */
  public Optional<Divergence> replay(TaskHandler other) {
    ReplayTape replay = new ReplayTape(tape);
    RunEnd replayed;
    try {
      replayed = RunEnd.of(other, new TapedTask(replay, givens));
    } catch (ReplayDiverged e) {
      return Optional.of(replay.first().orElseGet(e::divergence));
    }
    return replay.first().or(replay::missing).or(() -> difference(replayed));
  }

  private Optional<Divergence> difference(RunEnd replayed) {
    return replayed.equals(end)
        ? Optional.empty()
        : Optional.of(Divergence.of(Divergence.Kind.OTHER_END, "", end, replayed));
  }

  /**
   * Replays the handler.
   *
   * @return this run
   * @throws ReplayDiverged with the first difference
   */
  public RecordedRun needSame() {
    replay()
        .ifPresent(
            divergence -> {
              throw new ReplayDiverged(divergence);
            });
    return this;
  }
}
