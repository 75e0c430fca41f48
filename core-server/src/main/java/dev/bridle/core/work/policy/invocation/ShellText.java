package dev.bridle.core.work.policy.invocation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Splits a text into the simple commands of a shell, in one pass. Commands within {@code $(…)},
 * backticks and parentheses are commands of their own. It follows the rules of POSIX shells for
 * quotes, escapes, comments, redirections and here-documents, as far as they decide where a command
 * begins; what no shell would take, such as a quote without an end, is read both ways.
 */
final class ShellText {
  /** Deeper substitutions are not followed. */
  private static final int MAX_DEPTH = 200;

  /**
   * What a text holds.
   *
   * @param commands the words of its commands
   * @param texts parts that may be commands of another shell, such as here-documents
   * @param isWhole whether all of it was followed
   */
  record Split(List<List<ShellWord>> commands, List<String> texts, boolean isWhole) {}

  /** A here-document that begins on the next line. */
  private record HereDocument(String end, boolean isIndented) {}

  private final String text;
  private final List<List<ShellWord>> commands = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();
  private final Deque<ShellFrame> frames = new ArrayDeque<>();
  private final List<HereDocument> hereDocuments = new ArrayList<>();
  private boolean isWhole = true;
  private int at;

  private ShellText(String text) {
    this.text = text;
  }

  /** Splits a text. */
  static Split split(String text) {
    return new ShellText(text).split();
  }

  private Split split() {
    frames.push(new ShellFrame(ShellFrame.Kind.TEXT));
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (!readSubstitution(c)) {
        if (frames.element().isInQuotes()) {
          readQuoted(c);
        } else {
          read(c);
        }
      }
    }
    int unended = text.length();
    while (!frames.isEmpty()) {
      unended = Math.min(unended, frames.element().quotedFrom(unended));
      end(frames.pop());
    }
    if (unended < text.length()) {
      texts.add(text.substring(unended));
    }
    return new Split(commands, texts, isWhole);
  }

  /** Reads what is a substitution within double quotes as well, or an escape. */
  private boolean readSubstitution(char c) {
    ShellFrame frame = frames.element();
    switch (c) {
      case '\\' -> readEscape(frame);
      case '`' -> {
        if (frame.kind() == ShellFrame.Kind.BACKTICKS) {
          close();
        } else {
          open(ShellFrame.Kind.BACKTICKS);
        }
      }
      case '$' -> readVariable(frame);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void readEscape(ShellFrame frame) {
    if (at == text.length()) {
      frame.append('\\');
      return;
    }
    char escaped = text.charAt(at++);
    if (escaped == '\r' && take('\n')) {
      return;
    }
    if (escaped != '\n') {
      frame.appendEscaped(escaped);
    }
  }

  private void readVariable(ShellFrame frame) {
    if (take('(')) {
      open(ShellFrame.Kind.PARENTHESES);
    } else if (take('{')) {
      open(ShellFrame.Kind.BRACES);
    } else if (!frame.isInQuotes() && take('\'')) {
      readEscapedQuotes(frame);
    } else if (frame.isInQuotes() || next() != '"') {
      frame.append('$');
      frame.expand();
    }
  }

  /** Reads what follows {@code $'}. */
  private void readEscapedQuotes(ShellFrame frame) {
    int from = at;
    frame.appendQuoted("");
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '\'') {
        return;
      }
      if (c == '\\' && at < text.length()) {
        char escaped = text.charAt(at++);
        frame.append(escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped);
      } else {
        frame.append(c);
      }
    }
    texts.add(text.substring(from));
  }

  private void readQuoted(char c) {
    if (c == '"') {
      frames.element().endQuotes();
    } else {
      frames.element().append(c);
    }
  }

  private void read(char c) {
    ShellFrame frame = frames.element();
    switch (c) {
      case '"' -> frame.beginQuotes(at);
      case '\'' -> readSingleQuotes(frame);
      case ' ', '\t' -> endWord(frame);
      case '\n', '\r' -> {
        end(frame);
        if (c == '\n') {
          readHereDocuments();
        }
      }
      case ';', '|' -> end(frame);
      case '&' -> {
        if (next() == '>') {
          endWord(frame);
        } else {
          end(frame);
        }
      }
      case '<', '>' -> readRedirection(frame, c);
      case '(' -> {
        end(frame);
        frame.nest();
      }
      case ')' -> {
        end(frame);
        if (!frame.unnest() && frame.kind() == ShellFrame.Kind.PARENTHESES) {
          close();
        }
      }
      case '}' -> {
        if (frame.kind() == ShellFrame.Kind.BRACES) {
          close();
        } else {
          frame.append(c);
        }
      }
      case '#' -> {
        if (frame.isInWord()) {
          frame.append(c);
        } else {
          int end = text.indexOf('\n', at);
          at = end < 0 ? text.length() : end;
        }
      }
      default -> frame.append(c);
    }
  }

  /** An apostrophe without another one is one of a text in prose. */
  private void readSingleQuotes(ShellFrame frame) {
    int end = text.indexOf('\'', at);
    if (end < 0) {
      frame.append('\'');
      return;
    }
    frame.appendQuoted(text.substring(at, end));
    at = end + 1;
  }

  private void readRedirection(ShellFrame frame, char c) {
    if (take('(')) {
      open(ShellFrame.Kind.PARENTHESES);
      return;
    }
    if (!frame.dropDescriptor()) {
      endWord(frame);
    }
    if (c == '<' && take('<')) {
      if (take('<')) {
        frame.target(ShellFrame.Target.INPUT);
      } else {
        frame.target(
            take('-') ? ShellFrame.Target.INDENTED_DOCUMENT : ShellFrame.Target.HERE_DOCUMENT);
      }
      return;
    }
    boolean unused = take('>') || take('|') || take('&');
    frame.target(ShellFrame.Target.FILE);
  }

  private void readHereDocuments() {
    for (HereDocument document : hereDocuments) {
      int from = at;
      int end = text.length();
      while (at < text.length()) {
        int line = at;
        int newline = text.indexOf('\n', at);
        at = newline < 0 ? text.length() : newline + 1;
        String content = text.substring(line, newline < 0 ? text.length() : newline);
        if ((document.isIndented() ? content.strip() : content.stripTrailing())
            .equals(document.end())) {
          end = line;
          break;
        }
      }
      texts.add(text.substring(from, end));
    }
    hereDocuments.clear();
  }

  private void open(ShellFrame.Kind kind) {
    if (frames.size() >= MAX_DEPTH) {
      isWhole = false;
      end(frames.element());
      return;
    }
    frames.element().expand();
    frames.push(new ShellFrame(kind));
  }

  private void close() {
    ShellFrame closed = frames.pop();
    if (closed.kind() != ShellFrame.Kind.BRACES) {
      end(closed);
    }
  }

  private void end(ShellFrame frame) {
    endWord(frame);
    List<ShellWord> words = frame.takeWords();
    if (!words.isEmpty()) {
      commands.add(words);
    }
  }

  private void endWord(ShellFrame frame) {
    ShellFrame.Target target = frame.takeTarget();
    frame.takeWord().ifPresentOrElse(word -> add(frame, target, word), () -> frame.target(target));
  }

  private void add(ShellFrame frame, ShellFrame.Target target, ShellWord word) {
    switch (target) {
      case NONE -> frame.add(word);
      case FILE -> {}
      case INPUT -> texts.add(word.text());
      case HERE_DOCUMENT -> hereDocuments.add(new HereDocument(word.text(), false));
      case INDENTED_DOCUMENT -> hereDocuments.add(new HereDocument(word.text(), true));
    }
  }

  private boolean take(char expected) {
    if (next() != expected) {
      return false;
    }
    at++;
    return true;
  }

  private char next() {
    return at < text.length() ? text.charAt(at) : '\0';
  }
}
