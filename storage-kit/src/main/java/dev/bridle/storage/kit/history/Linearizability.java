package dev.bridle.storage.kit.history;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks for an order of a history's operations that explains every answer and never puts an
 * operation before one that had returned when it was called: Wing and Gong's search, with Lowe's
 * memory of the places that it has been to. Exponential at worst, so histories are short: some
 * hundred operations, with few at a time.
 */
public final class Linearizability<S, I, O> {
  private final Model<S, I, O> model;
  private final List<Operation<I, O>> operations;
  private final BitSet done = new BitSet();
  private final Set<Place<S>> seen = new HashSet<>();
  private int known;

  /** Where the search has been: after which operations, in whatever order, in which state. */
  private record Place<S>(BitSet done, S state) {}

  private record Frame<S>(int operation, S before) {}

  private Linearizability(Model<S, I, O> model, List<Operation<I, O>> history) {
    this.model = model;
    this.operations = new ArrayList<>(history);
    this.operations.sort(Comparator.comparingLong(Operation::called));
    this.known = (int) history.stream().filter(o -> o.output().isPresent()).count();
  }

  /** Returns whether such an order exists. */
  public static <S, I, O> boolean holds(Model<S, I, O> model, List<Operation<I, O>> history) {
    return new Linearizability<>(model, history).search();
  }

  /** Goes deep with a stack of its own, since histories are longer than Java's is deep. */
  private boolean search() {
    List<Frame<S>> path = new ArrayList<>();
    S state = model.initial();
    int next = 0;
    while (known > 0) {
      int operation = candidate(next);
      if (operation < 0) {
        if (path.isEmpty()) {
          return false;
        }
        Frame<S> last = path.remove(path.size() - 1);
        undo(last.operation());
        state = last.before();
        next = last.operation() + 1;
        continue;
      }
      Model.Step<S, O> step = model.apply(state, operations.get(operation).input());
      next = operation + 1;
      if (explains(operation, step) && visit(operation, step.state())) {
        path.add(new Frame<>(operation, state));
        state = step.state();
        next = 0;
      }
    }
    return true;
  }

  /** Returns the first open operation from {@code from} on that no other one has to precede. */
  private int candidate(int from) {
    long firstReturn = Long.MAX_VALUE;
    for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
      Operation<I, O> operation = operations.get(i);
      if (operation.called() > firstReturn) {
        return -1;
      }
      if (i >= from) {
        return i;
      }
      firstReturn = Math.min(firstReturn, operation.returned());
    }
    return -1;
  }

  private boolean explains(int operation, Model.Step<S, O> step) {
    return operations
        .get(operation)
        .output()
        .map(answer -> answer.equals(step.output()))
        .orElse(true);
  }

  private boolean visit(int operation, S state) {
    done.set(operation);
    if (seen.add(new Place<>((BitSet) done.clone(), state))) {
      known -= operations.get(operation).output().isPresent() ? 1 : 0;
      return true;
    }
    done.clear(operation);
    return false;
  }

  private void undo(int operation) {
    done.clear(operation);
    known += operations.get(operation).output().isPresent() ? 1 : 0;
  }
}
