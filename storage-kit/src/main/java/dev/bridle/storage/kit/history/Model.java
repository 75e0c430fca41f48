package dev.bridle.storage.kit.history;

import java.util.Optional;

/**
 * What one thing does when operations are applied to it one after another.
 *
 * @param <S> its states, immutable and comparable by {@code equals}
 * @param <I> what is asked of it
 * @param <O> what it answers
 */
public interface Model<S, I, O> {

  /** Returns the state before the first operation. */
  S initial();

  /** Returns the state and the answer after one operation. */
  Step<S, O> apply(S state, I input);

  /**
   * What one operation leads to.
   *
   * @param state the state after it
   * @param output what it answers
   */
  record Step<S, O>(S state, O output) {}

  /** A value that is read and written; nothing is stored at first. */
  static Model<Optional<String>, Register, Optional<String>> register() {
    return new Model<>() {
      @Override
      public Optional<String> initial() {
        return Optional.empty();
      }

      @Override
      public Step<Optional<String>, Optional<String>> apply(
          Optional<String> state, Register input) {
        return input.written().isPresent()
            ? new Step<>(input.written(), Optional.empty())
            : new Step<>(state, state);
      }
    };
  }

  /** A number that is added to and read; 0 at first. */
  static Model<Long, Counter, Long> counter() {
    return new Model<>() {
      @Override
      public Long initial() {
        return 0L;
      }

      @Override
      public Step<Long, Long> apply(Long state, Counter input) {
        return input.added().isPresent()
            ? new Step<>(state + input.added().get(), 0L)
            : new Step<>(state, state);
      }
    };
  }

  /**
   * What is asked of a register.
   *
   * @param written what is written, which answers with nothing; empty: a read
   */
  record Register(Optional<String> written) {

    /** Returns a read. */
    public static Register read() {
      return new Register(Optional.empty());
    }

    /** Returns a write. */
    public static Register write(String value) {
      return new Register(Optional.of(value));
    }
  }

  /**
   * What is asked of a counter.
   *
   * @param added what is added, which answers with 0; empty: a read
   */
  record Counter(Optional<Long> added) {

    /** Returns a read. */
    public static Counter read() {
      return new Counter(Optional.empty());
    }

    /** Returns an addition. */
    public static Counter add(long delta) {
      return new Counter(Optional.of(delta));
    }
  }
}
