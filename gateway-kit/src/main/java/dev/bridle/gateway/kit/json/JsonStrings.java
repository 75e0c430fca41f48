package dev.bridle.gateway.kit.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Decodes strings of a well-formed JSON text and checks its encoding. */
final class JsonStrings {

  private JsonStrings() {}

  /** Decodes the string whose first byte after the quote is at {@code from}. */
  static String decode(byte[] json, int from) {
    int at = from;
    while (json[at] != '"' && json[at] != '\\') {
      at++;
    }
    if (json[at] == '"') {
      return new String(json, from, at - from, StandardCharsets.UTF_8);
    }
    StringBuilder text = new StringBuilder(2 * (at - from) + 16);
    int run = from;
    while (json[at] != '"') {
      if (json[at] != '\\') {
        at++;
        continue;
      }
      text.append(new String(json, run, at - run, StandardCharsets.UTF_8));
      byte escape = json[at + 1];
      at += 2;
      if (escape == 'u') {
        text.append((char) hex4(json, at));
        at += 4;
      } else {
        text.append(unescape(escape));
      }
      run = at;
    }
    return text.append(new String(json, run, at - run, StandardCharsets.UTF_8)).toString();
  }

  /** Returns the offset after the closing quote. */
  static int end(byte[] json, int from) {
    int at = from;
    while (json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    return at + 1;
  }

  static boolean isScalarByte(byte b) {
    return (b >= '0' && b <= '9')
        || (b >= 'a' && b <= 'z')
        || b == '-'
        || b == '+'
        || b == '.'
        || b == 'E';
  }

  /**
   * Rejects invalid UTF-8, NUL bytes (so that the text can't be mistaken for UTF-16), a byte order
   * mark, and escapes of lone surrogates, which are not valid Unicode.
   */
  static void requireUnicode(byte[] json) {
    boolean ascii = true;
    for (int at = 0; at < json.length; at++) {
      byte b = json[at];
      if (b == '\\') {
        at = skipEscape(json, at);
      } else if (b < 0) {
        ascii = false;
      } else if (b == 0) {
        throw new InvalidMemberException(
            "", "The body contains a NUL byte; expected JSON in" + " UTF-8.");
      }
    }
    if (ascii) {
      return;
    }
    if (json.length >= 3 && json[0] == (byte) 0xEF && json[1] == (byte) 0xBB) {
      throw new InvalidMemberException(
          "", "The body starts with a byte order mark; expected JSON in UTF-8 without one.");
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json));
    } catch (CharacterCodingException e) {
      throw new InvalidMemberException("", "The body is not valid UTF-8; expected JSON in UTF-8.");
    }
  }

  private static int skipEscape(byte[] json, int at) {
    int unit = unit(json, at);
    if (unit < 0 || !Character.isSurrogate((char) unit)) {
      return at + 1;
    }
    if (Character.isHighSurrogate((char) unit)) {
      int low = unit(json, at + 6);
      if (low >= 0 && Character.isLowSurrogate((char) low)) {
        return at + 11;
      }
    }
    throw new InvalidMemberException(
        "", "The body contains an escaped lone surrogate; expected complete surrogate pairs.");
  }

  /** Returns the UTF-16 code unit of the escape at an offset, or -1 if there is none. */
  private static int unit(byte[] json, int at) {
    return at + 6 <= json.length && json[at] == '\\' && json[at + 1] == 'u'
        ? hex4(json, at + 2)
        : -1;
  }

  private static int hex4(byte[] json, int at) {
    int value = 0;
    for (int i = at; i < at + 4; i++) {
      int digit = Character.digit(json[i], 16);
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  private static char unescape(byte escape) {
    return switch (escape) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> (char) escape;
    };
  }
}
