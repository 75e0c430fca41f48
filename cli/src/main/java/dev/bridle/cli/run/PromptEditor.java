package dev.bridle.cli.run;

import dev.bridle.cli.console.ShownText;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.LineReader;
import org.jline.reader.Reference;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.InfoCmp.Capability;

/**
 * Edits a prompt below the output, which goes on meanwhile. A row of output that is not ended
 * stands above the prompt as a part of it, until it is.
 */
final class PromptEditor extends LineReaderImpl {
  /** What stands before a prompt. */
  static final String PROMPT = "you> ";

  /** What stands before its further lines. */
  private static final String MORE = "  .. ";

  /** As terminals send them that do not change with the program; the others are known. */
  private static final Map<String, String> ARROWS =
      Map.of(
          "A", LineReader.UP_LINE_OR_SEARCH,
          "B", LineReader.DOWN_LINE_OR_SEARCH,
          "C", LineReader.FORWARD_CHAR,
          "D", LineReader.BACKWARD_CHAR,
          "H", LineReader.BEGINNING_OF_LINE,
          "F", LineReader.END_OF_LINE);

  /** The output's last row, as far as it is written. */
  private String row = "";

  /** Whether that row is on the screen, outside of the prompt. */
  private boolean isPrinted = true;

  private PromptEditor(Terminal terminal, Map<String, Object> variables) {
    super(terminal, "bridle", variables);
    option(LineReader.Option.ERASE_LINE_ON_FINISH, true);
    option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
    getWidgets().put(LineReader.CALLBACK_INIT, this::begin);
  }

  /**
   * Makes one.
   *
   * @param history the file with earlier prompts
   */
  static PromptEditor on(Terminal terminal, Path history) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(LineReader.HISTORY_FILE, history);
    settings.put(LineReader.HISTORY_SIZE, PromptHistory.KEPT);
    settings.put(LineReader.HISTORY_FILE_SIZE, PromptHistory.KEPT);
    settings.put(LineReader.SECONDARY_PROMPT_PATTERN, MORE);
    PromptEditor editor = new PromptEditor(terminal, settings);
    editor.setHistory(new PromptHistory());
    editor.setParser(new PromptParser());
    editor.getKeyMaps().values().forEach(PromptEditor::forWords);
    return editor;
  }

  /** There is nothing to complete, no program to start, and no bracket that has to match. */
  private static void forWords(KeyMap<Binding> keys) {
    keys.bind(new Reference(LineReader.SELF_INSERT), List.of("\t", ")", "]", "}"));
    keys.unbind(KeyMap.ctrl('X') + KeyMap.ctrl('E'));
    ARROWS.forEach((key, does) -> keys.bind(new Reference(does), KeyMap.esc() + "[" + key));
  }

  /** Called as the prompt is about to be drawn, with the lock. */
  private boolean begin() {
    takeRow();
    showRow();
    return true;
  }

  /** Takes the row from the screen, where it is on it. */
  private void takeRow() {
    if (isPrinted && !row.isEmpty()) {
      terminal.writer().write('\r');
      terminal.puts(Capability.clr_eol);
    }
    isPrinted = false;
  }

  private void showRow() {
    prompt = new AttributedString(row.isEmpty() ? PROMPT : row + "\n" + PROMPT);
  }

  /** Prints output, also while a prompt is edited. */
  void print(String text) {
    lock.lock();
    try {
      String whole = row + text;
      int end = whole.lastIndexOf('\n') + 1;
      row = whole.substring(end);
      if (reading) {
        showRow();
        if (end > 0) {
          printAbove(whole.substring(0, end));
        } else {
          redisplay();
        }
      } else {
        terminal.writer().write(isPrinted ? text : whole);
        isPrinted = true;
      }
      terminal.flush();
    } finally {
      lock.unlock();
    }
  }

  /** Prints a prompt that was read, above the row that is not ended. */
  void typed(String text) {
    if (!text.isEmpty()) {
      lock.lock();
      try {
        String shown =
            text.lines()
                .map(line -> ShownText.line(line.replace("\t", "  ")))
                .collect(Collectors.joining("\n" + MORE, PROMPT, "\n"));
        takeRow();
        terminal.writer().write(shown);
        terminal.flush();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Says that the person has ended the row, as the terminal has shown. */
  void rowIsEnded() {
    lock.lock();
    try {
      row = "";
      isPrinted = true;
    } finally {
      lock.unlock();
    }
  }

  /** Empties the prompt; returns false if there is nothing in it. */
  boolean empty() {
    lock.lock();
    try {
      if (!reading || buf.length() == 0) {
        return false;
      }
      buf.clear();
      redisplay();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Draws the prompt for the terminal's new size. */
  void resized() {
    signaled(Terminal.Signal.WINCH);
  }

  /** Goes on after a stop, in which another program had the terminal. */
  void resumed() {
    signaled(Terminal.Signal.CONT);
  }

  private void signaled(Terminal.Signal signal) {
    lock.lock();
    try {
      if (reading) {
        terminal.writer().write(BRACKETED_PASTE_ON); // A shell may have turned it off.
        handleSignal(signal);
        redisplay();
      }
    } finally {
      lock.unlock();
    }
  }
}
