package dev.bridle.cli.run;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Reads what a person types on the terminal of this process, also where its standard input is
 * something else. Who waits for a line can stop waiting.
 */
abstract class Terminal implements AutoCloseable {
  Terminal() {}

  /** Opens the terminal of this process; empty where there is none. */
  static Optional<Terminal> open() {
    try {
      return Optional.of(new PlainTerminal(new FileInputStream("/dev/tty")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Reads from a stream in place of a terminal. */
  static Terminal of(InputStream keys) {
    return new PlainTerminal(keys);
  }

  /**
   * Forgets what was typed before, so that none of it answers a question unseen.
   *
   * @return the lines
   */
  abstract List<String> flush();

  /**
   * Returns the next line, as it is typed; empty at the end of the input, or when the supplier says
   * that nobody waits.
   */
  abstract Optional<String> line(BooleanSupplier waits) throws InterruptedException;

  /** Returns the next prompt, as {@link #line} does; it may have several lines. */
  Optional<String> prompt(BooleanSupplier waits) throws InterruptedException {
    return line(waits);
  }

  /** Returns whether prompts are edited, so that this prints what stands before them. */
  boolean edits() {
    return false;
  }

  /** Empties the prompt that is edited; returns false if there is nothing in it. */
  boolean empty() {
    return false;
  }

  @Override
  public abstract void close() throws IOException;
}
