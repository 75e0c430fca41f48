package dev.bridle.cli.console;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/**
 * Escapes JSON for a terminal as {@link ShownText#json} does: only strings can hold such
 * characters, so that the JSON means the same. Ends of lines stay.
 */
final class EscapedJson extends FilterWriter {
  EscapedJson(Writer out) {
    super(out);
  }

  @Override
  public void write(int unit) throws IOException {
    if (unit == '\n') {
      out.write(unit);
    } else {
      out.write(ShownText.json(String.valueOf((char) unit)));
    }
  }

  @Override
  public void write(char[] text, int from, int length) throws IOException {
    write(new String(text, from, length), 0, length);
  }

  @Override
  public void write(String text, int from, int length) throws IOException {
    for (int i = from; i < from + length; i++) {
      write(text.charAt(i));
    }
  }
}
