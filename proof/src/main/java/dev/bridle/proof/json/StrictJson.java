package dev.bridle.proof.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;

/**
 * Parses JSON of which every reader sees the same values. It accepts RFC 8259 text in UTF-8 without
 * a byte order mark, and rejects what readers disagree about: duplicate members, lone surrogates,
 * numbers beyond a double, and integers beyond 2^53 - 1, as they are written or in their canonical
 * form. Size and depth are bounded. Thread-safe.
 */
public final class StrictJson {
  /** The most bytes of a document, if nothing else is said: 1 MiB. */
  public static final int MAX_BYTES = 1 << 20;

  /** The most bytes that may be allowed: 16 MiB. */
  public static final int LARGEST = 16 << 20;

  /** The most arrays and objects that are open at once. */
  public static final int MAX_DEPTH = 64;

  /** Names are not shared between documents: a hostile one must not slow down the next ones. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNameLength(LARGEST)
                  .maxNumberLength(MAX_BYTES)
                  .maxStringLength(LARGEST)
                  .build())
          .build();

  private StrictJson() {}

  /**
   * Parses one value.
   *
   * @throws InvalidJsonException if the bytes are not such JSON. Its message quotes nothing of
   *     them, nor does a cause.
   */
  public static JsonNode parse(byte[] json) {
    return parse(json, MAX_BYTES);
  }

  /**
   * Parses one value, as {@link #parse(byte[])} does.
   *
   * @param most the most bytes, up to {@link #LARGEST}
   */
  public static JsonNode parse(byte[] json, int most) {
    if (json.length > Math.min(most, LARGEST)) {
      throw new InvalidJsonException(
          "The document has " + json.length + " bytes. Expected at most " + most + ".");
    }
    CharBuffer text = decode(json);
    try (JsonParser parser =
        FACTORY.createParser(text.array(), text.arrayOffset(), text.remaining())) {
      return new TreeReader(parser, escapesSurrogates(text)).read();
    } catch (JsonProcessingException e) {
      throw new InvalidJsonException("The document is not JSON" + position(e.getLocation()) + ".");
    } catch (IOException e) {
      throw new UncheckedIOException("reading memory failed", e);
    }
  }

  /** Returns line and column, from 1; the parser's own text would quote the input. */
  static String position(JsonLocation location) {
    return location == null
        ? ""
        : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }

  private static CharBuffer decode(byte[] json) {
    try {
      CharBuffer text =
          UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(json));
      if (text.hasRemaining() && text.charAt(0) == '\uFEFF') {
        throw new InvalidJsonException("The document begins with a byte order mark.");
      }
      return text;
    } catch (CharacterCodingException e) {
      throw new InvalidJsonException("The document is not UTF-8.", e);
    }
  }

  /** Returns whether there may be lone surrogates: UTF-8 has none, but escapes may make them. */
  private static boolean escapesSurrogates(CharBuffer text) {
    char[] chars = text.array();
    int end = text.arrayOffset() + text.remaining();
    for (int i = text.arrayOffset() + 2; i < end; i++) {
      if ((chars[i] == 'd' || chars[i] == 'D') && chars[i - 1] == 'u' && chars[i - 2] == '\\') {
        return true;
      }
    }
    return false;
  }
}
