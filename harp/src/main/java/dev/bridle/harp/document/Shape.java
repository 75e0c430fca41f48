package dev.bridle.harp.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.schema.Rfc3339;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The members that a document may have, as its published schema says; others are refused. Texts are
 * bounded, since the schemas bound nothing.
 */
public final class Shape {
  /** The most characters of an id, a reference or another short text. */
  public static final int MAX_TEXT = 1024;

  /** The most characters of an unknown name that a message repeats. */
  private static final int MAX_SHOWN = 64;

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private final String name;
  private final Map<String, Member> members = new LinkedHashMap<>();

  private enum Kind {
    TEXT,
    LONG_TEXT,
    TIME,
    HASH,
    OBJECT,
    LIST,
    WORD
  }

  private record Member(boolean required, Kind kind, Set<String> words, HarpErrorCode otherwise) {}

  private Shape(String name) {
    this.name = name;
  }

  /** Begins the shape of a document without members. */
  public static Shape of(String name) {
    return new Shape(name);
  }

  /** Adds short texts that are not empty. */
  public Shape texts(boolean required, String... names) {
    return all(required, Kind.TEXT, names);
  }

  /** Adds texts of any length. */
  public Shape longTexts(boolean required, String... names) {
    return all(required, Kind.LONG_TEXT, names);
  }

  /** Adds times of RFC 3339. */
  public Shape times(boolean required, String... names) {
    return all(required, Kind.TIME, names);
  }

  /** Adds hashes: 64 lower-case hexadecimal digits. */
  public Shape hashes(boolean required, String... names) {
    return all(required, Kind.HASH, names);
  }

  /** Adds objects. */
  public Shape objects(boolean required, String... names) {
    return all(required, Kind.OBJECT, names);
  }

  /** Adds lists. */
  public Shape lists(boolean required, String... names) {
    return all(required, Kind.LIST, names);
  }

  /**
   * Adds a text that is one of some words.
   *
   * @param otherwise the code for another word
   */
  public Shape word(boolean required, String member, HarpErrorCode otherwise, String... words) {
    members.put(member, new Member(required, Kind.WORD, Set.of(words), otherwise));
    return this;
  }

  private Shape all(boolean required, Kind kind, String... names) {
    for (String each : names) {
      members.put(each, new Member(required, kind, Set.of(), HarpErrorCode.TRANSPORT));
    }
    return this;
  }

  /**
   * Checks a document.
   *
   * @throws HarpException {@code TRANSPORT} with the reason {@code schema}, or what was said for a
   *     word
   */
  public void check(ObjectNode document) throws HarpException {
    for (Map.Entry<String, JsonNode> given : document.properties()) {
      if (!members.containsKey(given.getKey())) {
        throw fault(
            "has the member " + quoted(given.getKey()) + ", which its schema does not know");
      }
    }
    for (Map.Entry<String, Member> member : members.entrySet()) {
      JsonNode given = document.path(member.getKey());
      if (!given.isMissingNode()) {
        check(member.getKey(), member.getValue(), given);
      } else if (member.getValue().required()) {
        throw fault("lacks " + member.getKey());
      }
    }
  }

  private void check(String member, Member rule, JsonNode given) throws HarpException {
    boolean fits =
        switch (rule.kind()) {
          case TEXT ->
              given.isTextual()
                  && !given.textValue().isEmpty()
                  && given.textValue().length() <= MAX_TEXT;
          case LONG_TEXT, WORD -> given.isTextual();
          case TIME -> given.isTextual() && Rfc3339.epochSecond(given.textValue()).isPresent();
          case HASH -> given.isTextual() && HASH.matcher(given.textValue()).matches();
          case OBJECT -> given.isObject();
          case LIST -> given.isArray();
        };
    if (!fits) {
      throw fault("has a " + member + " that its schema does not allow");
    }
    if (rule.kind() == Kind.WORD && !rule.words().contains(given.textValue())) {
      throw new HarpException(
          rule.otherwise(),
          rule.otherwise() == HarpErrorCode.TRANSPORT ? "schema" : "unknown_" + snake(member),
          name
              + " has a "
              + member
              + " that is none of "
              + rule.words().stream().sorted().toList());
    }
  }

  private static String quoted(String name) {
    return '"' + (name.length() > MAX_SHOWN ? name.substring(0, MAX_SHOWN) + "…" : name) + '"';
  }

  private static String snake(String member) {
    return member.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private HarpException fault(String what) {
    return new HarpException(HarpErrorCode.TRANSPORT, "schema", name + " " + what + ".");
  }
}
