package dev.bridle.cli.run;

import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.impl.DefaultParser;

/** A prompt is one text: nothing in it is special, but a backslash at the end, which goes on. */
final class PromptParser extends DefaultParser {
  PromptParser() {
    setEscapeChars(new char[0]);
    setQuoteChars(new char[0]);
  }

  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    if (context == ParseContext.ACCEPT_LINE && line.endsWith("\\")) {
      throw new EOFError(-1, -1, "the prompt goes on");
    }
    return super.parse(line, cursor, context);
  }

  /** Returns what was typed without the backslashes at the ends of its lines. */
  static String joined(String typed) {
    return typed.replace("\\\n", "\n");
  }
}
