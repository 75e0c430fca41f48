package dev.bridle.host.rpc;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON value as it was spelled: the bytes that arrived, which are what is fingerprinted and
 * recorded, and the tree that they mean. Immutable and thread-safe. Names that occur twice in an
 * object are refused, because readers disagree about which of the two counts.
 */
public final class RawJson {
  private static final RawJson ABSENT = new RawJson(new byte[0], 0, 0);

  private final byte[] bytes;
  private final int from;
  private final int to;

  private RawJson(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }

  /** The bytes must be one JSON value; whether they are is found by {@link #members} or reading. */
  static RawJson ofTrusted(byte[] bytes) {
    return new RawJson(bytes, 0, bytes.length);
  }

  /** A value that is not there: no bytes, and a missing node as its tree. */
  public static RawJson absent() {
    return ABSENT;
  }

  /** A value of our own, in the spelling of the project's writer. */
  public static RawJson of(JsonNode json) {
    return ofTrusted(Json.bytes(json));
  }

  /** Whether there is a value. JSON's {@code null} is one. */
  public boolean isPresent() {
    return from < to;
  }

  /** Returns a copy of the bytes, UTF-8, exactly as they arrived. */
  public byte[] bytes() {
    return Arrays.copyOfRange(bytes, from, to);
  }

  /** The same value without the message around it, for whoever keeps it. */
  public RawJson alone() {
    return to - from == bytes.length ? this : ofTrusted(bytes());
  }

  /** The length in bytes. */
  public int length() {
    return to - from;
  }

  /**
   * Reads the tree, with each call anew.
   *
   * @throws BadJson if the value is nested too deeply, has a name twice, or is no JSON
   */
  public JsonNode json() throws BadJson {
    if (!isPresent()) {
      return MissingNode.getInstance();
    }
    try {
      return Json.MAPPER.readTree(bytes, from, to - from);
    } catch (JsonProcessingException e) {
      throw BadJson.of(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the tree, as {@link #json} does; a missing node if it can't be read. */
  public JsonNode jsonIfReadable() {
    try {
      return json();
    } catch (BadJson e) {
      return MissingNode.getInstance();
    }
  }

  /**
   * Returns a member of this object as it was spelled. Empty if this is no object or has no such
   * member.
   *
   * @throws BadJson as {@link #json}
   */
  public Optional<RawJson> member(String name) throws BadJson {
    return Optional.ofNullable(members().get(name));
  }

  /**
   * The members of this object in their order and spelling, none if this is no object.
   *
   * @throws BadJson as {@link #json}
   */
  public Map<String, RawJson> members() throws BadJson {
    Map<String, RawJson> found = new LinkedHashMap<>();
    if (!isPresent()) {
      return Collections.unmodifiableMap(found);
    }
    try (JsonParser parser = Json.MAPPER.createParser(bytes, from, to - from)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          found.put(name, value(parser));
        }
      } else {
        parser.skipChildren();
      }
      if (parser.nextToken() != null) {
        throw new BadJson("Something follows the value");
      }
      return Collections.unmodifiableMap(found);
    } catch (JsonProcessingException e) {
      throw BadJson.of(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The value that the parser stands at, which it reads to its end. */
  private RawJson value(JsonParser parser) throws IOException {
    int start = from + (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    parser.finishToken();
    return new RawJson(bytes, start, from + (int) parser.currentLocation().getByteOffset());
  }

  /** The text of the value, as it arrived. */
  @Override
  public String toString() {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RawJson that
        && Arrays.equals(bytes, from, to, that.bytes, that.from, that.to);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes());
  }
}
