package dev.bridle.worker.replay;

import dev.bridle.worker.Decision;
import dev.bridle.worker.replay.TapedStep.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Records the runs of a handler, each of which gets what earlier ones have recorded. A thread that
 * an interrupted run has left behind adds nothing to the next one.
 */
final class RecordingTape {
  private final Map<String, Recorded> steps = new LinkedHashMap<>();
  private final Map<String, List<Exception>> failures = new LinkedHashMap<>();
  private final int interruptAfter;
  private int run;
  private Optional<byte[]> state = Optional.empty();
  private Optional<byte[]> firstState = Optional.empty();
  private Optional<NotGiven> notGiven = Optional.empty();

  /**
   * A recorded step.
   *
   * @param run the number of the run that recorded it, from 1
   */
  record Recorded(TapedStep step, Object result, int run) {}

  /**
   * Creates an empty tape.
   *
   * @param interruptAfter after how many steps the first run is interrupted; 0: never
   */
  RecordingTape(int interruptAfter) {
    this.interruptAfter = interruptAfter;
  }

  /** Begins a run. What failed in earlier ones, it does not know. */
  synchronized Tape begin() {
    run++;
    firstState = state;
    failures.clear();
    return new Run(run);
  }

  /** What one run of the handler writes on the tape. */
  private final class Run implements Tape {
    private final int number;

    Run(int number) {
      this.number = number;
    }

    @Override
    public Object take(TapedStep step, Callable<Object> first) throws Exception {
      return RecordingTape.this.take(number, step, first);
    }

    @Override
    public Optional<byte[]> state() {
      synchronized (RecordingTape.this) {
        return state;
      }
    }

    @Override
    public void keep(byte[] kept) {
      synchronized (RecordingTape.this) {
        throwIfInterrupted(number);
        state = Optional.of(kept.clone());
      }
    }

    @Override
    public boolean has(String key) {
      synchronized (RecordingTape.this) {
        return steps.containsKey(key);
      }
    }
  }

  private Object take(int taker, TapedStep step, Callable<Object> first) throws Exception {
    synchronized (this) {
      throwIfInterrupted(taker);
      Recorded known = steps.get(step.key());
      if (known != null) {
        if (known.step().kind() != step.kind()) {
          throw new IllegalStateException(
              "step key `" + step.key() + "` is used for two kinds of steps");
        }
        if (!isConsumed(known)) {
          // A replay repeats the last run, which may say otherwise what is recorded once.
          steps.put(step.key(), new Recorded(step, known.result(), known.run()));
          return known.result();
        }
      }
    }
    Object result;
    try {
      result = first.call();
    } catch (RunInterrupted e) {
      throw e;
    } catch (Exception e) {
      synchronized (this) {
        throwIfInterrupted(taker);
        if (e instanceof NotGiven missing && notGiven.isEmpty()) {
          notGiven = Optional.of(missing);
        }
        failures.computeIfAbsent(step.key(), key -> new ArrayList<>()).add(e);
      }
      throw e;
    }
    synchronized (this) {
      throwIfInterrupted(taker);
      Recorded other = steps.get(step.key());
      if (other != null && !isConsumed(other)) {
        return other.result(); // Another thread of the handler was first.
      }
      steps.put(step.key(), new Recorded(step, result, run));
      throwIfInterrupted(taker);
      return result;
    }
  }

  /** An approval is for the run that gets it: a later one asks again. */
  private boolean isConsumed(Recorded known) {
    return known.step().kind() == Kind.PERMISSION
        && known.run() < run
        && ((Decision) known.result()).allowed();
  }

  private void throwIfInterrupted(int taker) {
    if (taker < run || (run == 1 && interruptAfter > 0 && steps.size() >= interruptAfter)) {
      throw new RunInterrupted();
    }
  }

  /** Returns what was kept about the session when the last run began. */
  synchronized Optional<byte[]> firstState() {
    return firstState;
  }

  /** Throws what the test has not given, also if the handler has caught it. */
  synchronized void throwIfNotGiven() {
    notGiven.ifPresent(
        missing -> {
          throw missing;
        });
  }

  synchronized int run() {
    return run;
  }

  synchronized Map<String, Recorded> steps() {
    return new LinkedHashMap<>(steps);
  }

  synchronized Map<String, List<Exception>> failures() {
    Map<String, List<Exception>> copy = new LinkedHashMap<>();
    failures.forEach((key, thrown) -> copy.put(key, List.copyOf(thrown)));
    return copy;
  }
}
