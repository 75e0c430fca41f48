package dev.bridle.cli.run;

import java.io.IOError;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jline.reader.EndOfFileException;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Attributes;
import org.jline.utils.NonBlockingReader;
import org.jline.utils.Signals;

/**
 * A terminal on which prompts are edited, below the output. Answers are read as the system's
 * terminal gives them, without keys that could answer by accident.
 */
final class EditedTerminal extends Terminal {
  private final RunTty tty;
  private final PromptEditor editor;

  /** What was typed of a prompt when something else came first. */
  private String begun = "";

  private volatile boolean ended;

  private EditedTerminal(RunTty tty, PromptEditor editor) {
    this.tty = tty;
    this.editor = editor;
  }

  /**
   * Opens the terminal of this process.
   *
   * @param type its type, as TERM says
   * @param history the file with earlier prompts
   */
  static EditedTerminal open(String type, Path history) throws IOException {
    RunTty tty = new RunTty(type);
    PromptEditor editor = PromptEditor.on(tty, history);
    var unused =
        Signals.register(
            "CONT",
            () -> {
              Thread thread = new Thread(editor::resumed, "bridle-run-resumed");
              thread.setDaemon(true);
              thread.start();
            });
    return new EditedTerminal(tty, editor);
  }

  /** Returns what writes to the screen; a text counts when it is flushed. */
  Writer writer() {
    return new Screen();
  }

  private final class Screen extends Writer {
    private final StringBuilder written = new StringBuilder();

    @Override
    public void write(char[] text, int from, int count) {
      written.append(text, from, count);
    }

    @Override
    public void flush() {
      if (!written.isEmpty()) {
        editor.print(written.toString());
        written.setLength(0);
      }
    }

    @Override
    public void close() {
      flush();
    }
  }

  /** Says that the size has changed. */
  void resized() {
    editor.resized();
  }

  @Override
  boolean edits() {
    return true;
  }

  @Override
  boolean empty() {
    return editor.empty();
  }

  @Override
  Optional<String> prompt(BooleanSupplier waits) throws InterruptedException {
    if (ended || !waits.getAsBoolean()) {
      return Optional.empty();
    }
    tty.keys().whileWaiting(waits);
    try {
      String typed = PromptParser.joined(editor.readLine(PromptEditor.PROMPT, null, begun)).strip();
      begun = "";
      editor.typed(typed);
      return Optional.of(typed);
    } catch (EndOfFileException e) {
      ended = true;
      return Optional.empty();
    } catch (UserInterruptException e) {
      begun = e.getPartialLine();
      if (Thread.interrupted()) {
        throw (InterruptedException) new InterruptedException().initCause(e);
      }
      return Optional.empty();
    } catch (IOError | IllegalStateException e) {
      ended = true; // It is closed, or has no stty any more.
      return Optional.empty();
    }
  }

  @Override
  List<String> flush() {
    tty.keys().whileWaiting(() -> true);
    Attributes attributes = tty.enterRawMode(); // Gives what has no end of line yet, too.
    try {
      return tty.keys().drain().lines().map(String::strip).toList();
    } catch (IOException e) {
      ended = true;
      return List.of();
    } finally {
      tty.setAttributes(attributes);
    }
  }

  @Override
  Optional<String> line(BooleanSupplier waits) throws InterruptedException {
    if (ended || !waits.getAsBoolean()) {
      return Optional.empty();
    }
    tty.keys().whileWaiting(waits);
    StringBuilder line = new StringBuilder();
    try {
      for (int key = tty.keys().read(); key != '\n' && key != '\r'; key = tty.keys().read()) {
        boolean isEnd = key == tty.endKey();
        if (key == NonBlockingReader.EOF || (isEnd && line.isEmpty())) {
          ended = true;
          return Optional.empty();
        }
        if (!isEnd) {
          line.append((char) key); // A unit of UTF-16.
        }
      }
    } catch (InterruptedIOException e) {
      if (Thread.interrupted()) {
        throw (InterruptedException) new InterruptedException().initCause(e);
      }
      return Optional.empty();
    } catch (IOException e) {
      ended = true;
      return Optional.empty();
    }
    editor.rowIsEnded();
    return Optional.of(line.toString().strip());
  }

  @Override
  public void close() throws IOException {
    tty.close();
  }
}
