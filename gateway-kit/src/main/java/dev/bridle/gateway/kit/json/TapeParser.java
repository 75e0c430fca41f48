package dev.bridle.gateway.kit.json;

import com.fasterxml.jackson.core.ErrorReportConfiguration;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.bridle.gateway.kit.json.JsonTape.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;

/** Fills a {@link JsonTape} from a Jackson parser. */
final class TapeParser {

  private static final int FEW_MEMBERS = 8;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false)
          .errorReportConfiguration(
              ErrorReportConfiguration.builder().maxErrorTokenLength(20).build())
          .build();

  private final byte[] json;
  private final int maxDepth;
  private final JsonTape tape;
  private final int[] open;
  private final int[] members;
  private final Object[] seen;
  private int depth;

  TapeParser(byte[] json, int maxDepth) {
    this.json = json;
    this.maxDepth = maxDepth;
    this.tape = new JsonTape(json);
    this.open = new int[maxDepth];
    this.members = new int[maxDepth];
    this.seen = new Object[maxDepth];
  }

  JsonTape parse() {
    JsonStrings.requireUnicode(json);
    try (JsonParser parser = FACTORY.createParser(json)) {
      JsonToken token = parser.nextToken();
      if (token == null) {
        throw new InvalidMemberException("", "The body is empty; expected a JSON object.");
      }
      String name = "";
      while (token != null) {
        if (depth == 0 && tape.size() > 0) {
          throw new InvalidMemberException(
              "", "The body has content after its JSON value" + where(parser) + ".");
        }
        name = accept(parser, token, name);
        token = parser.nextToken();
      }
      return tape;
    } catch (JsonProcessingException e) {
      throw malformed(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a token to the tape and returns the member name of the next value. */
  private String accept(JsonParser parser, JsonToken token, String name) throws IOException {
    int offset = (int) parser.currentTokenLocation().getByteOffset();
    switch (token) {
      case START_OBJECT -> open(tape.add(Kind.OBJECT, name, offset));
      case START_ARRAY -> open(tape.add(Kind.ARRAY, name, offset));
      case END_OBJECT, END_ARRAY -> tape.close(open[--depth], offset + 1);
      case FIELD_NAME -> {
        requireNew(parser.currentName());
        return parser.currentName();
      }
      case VALUE_STRING -> tape.add(Kind.STRING, name, offset);
      case VALUE_NUMBER_INT -> tape.add(Kind.INTEGER, name, offset);
      case VALUE_NUMBER_FLOAT -> tape.add(Kind.DECIMAL, name, offset);
      case VALUE_TRUE, VALUE_FALSE -> tape.add(Kind.BOOLEAN, name, offset);
      default -> tape.add(Kind.NULL, name, offset);
    }
    return "";
  }

  private void open(int node) {
    if (depth == maxDepth) {
      throw new InvalidMemberException(
          path(), "The body is nested deeper than " + maxDepth + " levels.");
    }
    open[depth] = node;
    members[depth] = 0;
    seen[depth] = null;
    depth++;
  }

  private void requireNew(String name) {
    int level = depth - 1;
    int object = open[level];
    boolean isNew = true;
    if (members[level] < FEW_MEMBERS) {
      for (int child = object + 1; child < tape.size(); child = tape.next(child)) {
        isNew &= !tape.name(child).equals(name);
      }
    } else {
      isNew = names(level, object).add(name);
    }
    members[level]++;
    if (!isNew) {
      String shown = name.length() > 64 ? name.substring(0, 64) + "…" : name;
      throw new InvalidMemberException(
          InvalidMemberException.join(path(), shown), "Duplicate member.");
    }
  }

  @SuppressWarnings("unchecked")
  private Set<String> names(int level, int object) {
    if (seen[level] == null) {
      Set<String> names = new HashSet<>();
      for (int child = object + 1; child < tape.size(); child = tape.next(child)) {
        names.add(tape.name(child));
      }
      seen[level] = names;
    }
    return (Set<String>) seen[level];
  }

  /** Returns the path of the innermost open value. */
  private String path() {
    String path = "";
    for (int level = 1; level < depth; level++) {
      int node = open[level];
      int parent = open[level - 1];
      if (tape.kind(parent) == Kind.OBJECT) {
        path = InvalidMemberException.join(path, tape.name(node));
      } else {
        int index = 0;
        for (int child = parent + 1; child < node; child = tape.next(child)) {
          index++;
        }
        path = path + "[" + index + "]";
      }
    }
    return path;
  }

  /** The parser's own message exposes internals and may contain a part of a secret. */
  private static InvalidMemberException malformed(JsonProcessingException e) {
    if (e instanceof StreamConstraintsException) {
      return new InvalidMemberException(
          "", "The body contains a number, a string or a name that is too long.");
    }
    String where =
        e.getLocation() == null
            ? ""
            : " at line "
                + e.getLocation().getLineNr()
                + ", column "
                + e.getLocation().getColumnNr();
    boolean ended = e instanceof JsonEOFException;
    return new InvalidMemberException(
        "", "The body is not valid JSON" + where + (ended ? ": it ends unexpectedly." : "."));
  }

  private static String where(JsonParser parser) {
    var location = parser.currentTokenLocation();
    return " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }
}
