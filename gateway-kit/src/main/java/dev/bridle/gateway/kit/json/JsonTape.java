package dev.bridle.gateway.kit.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A parsed JSON text: a flat list of its values in document order with their offsets, so that
 * values can be read repeatedly and copied byte for byte.
 *
 * <p>Node 0 is the root. The children of node {@code n} begin at {@code n + 1}; each is followed by
 * the next at {@code next(child)}, until {@code next(n)}.
 */
public final class JsonTape {

  /** The kind of a node's value. */
  public enum Kind {
    OBJECT("an object"),
    ARRAY("an array"),
    STRING("a string"),
    INTEGER("a whole number"),
    DECIMAL("a number with a fraction or exponent"),
    BOOLEAN("a boolean"),
    NULL("null");

    private final String described;

    Kind(String described) {
      this.described = described;
    }

    /** Returns the kind as a phrase for messages, such as {@code a string}. */
    public String described() {
      return described;
    }
  }

  private final byte[] json;
  private Kind[] kinds = new Kind[32];
  private String[] names = new String[32];
  private int[] starts = new int[32];
  private int[] ends = new int[32];
  private int[] next = new int[32];
  private int size;

  JsonTape(byte[] json) {
    this.json = json;
  }

  /**
   * Parses a UTF-8 JSON text.
   *
   * @throws InvalidMemberException if the text is malformed, is nested deeper than {@code
   *     maxDepth}, or has a duplicate member
   */
  public static JsonTape parse(byte[] json, int maxDepth) {
    return new TapeParser(json, maxDepth).parse();
  }

  int add(Kind kind, String name, int start) {
    if (size == kinds.length) {
      int grown = size * 2;
      kinds = Arrays.copyOf(kinds, grown);
      names = Arrays.copyOf(names, grown);
      starts = Arrays.copyOf(starts, grown);
      ends = Arrays.copyOf(ends, grown);
      next = Arrays.copyOf(next, grown);
    }
    kinds[size] = kind;
    names[size] = name;
    starts[size] = start;
    next[size] = size + 1;
    return size++;
  }

  void close(int node, int end) {
    ends[node] = end;
    next[node] = size;
  }

  int size() {
    return size;
  }

  /** Returns the kind of a node. */
  public Kind kind(int node) {
    return kinds[node];
  }

  /** Returns the name of a node that is a member of an object, or {@code ""} for other nodes. */
  public String name(int node) {
    return names[node];
  }

  /** Returns the node after a node and all its descendants. */
  public int next(int node) {
    return next[node];
  }

  /** Returns the member of an object with that name, or -1. */
  public int member(int object, String name) {
    for (int child = object + 1; child < next[object]; child = next[child]) {
      if (names[child].equals(name)) {
        return child;
      }
    }
    return -1;
  }

  /**
   * Returns the path of a node from an object or array that contains it, such as {@code
   * parts[0].text}.
   */
  public String path(int from, int node) {
    StringBuilder path = new StringBuilder();
    int at = from;
    while (at != node) {
      int index = 0;
      int child = at + 1;
      while (next[child] <= node) {
        child = next[child];
        index++;
      }
      if (kinds[at] == Kind.ARRAY) {
        path.append('[').append(index).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(names[child]);
      }
      at = child;
    }
    return path.toString();
  }

  /** Returns the bytes of a node in the text. */
  public byte[] raw(int node) {
    return Arrays.copyOfRange(json, starts[node], end(node));
  }

  /** Returns the value of a STRING. */
  public String string(int node) {
    return JsonStrings.decode(json, starts[node] + 1);
  }

  /** Returns the value of a BOOLEAN. */
  public boolean bool(int node) {
    return json[starts[node]] == 't';
  }

  /** Returns the value of an INTEGER or DECIMAL. */
  public BigDecimal number(int node) {
    return new BigDecimal(numberText(node));
  }

  /** Returns the text of an INTEGER or DECIMAL. */
  public String numberText(int node) {
    int start = starts[node];
    return new String(json, start, end(node) - start, StandardCharsets.US_ASCII);
  }

  private int end(int node) {
    int start = starts[node];
    if (kinds[node] == Kind.OBJECT || kinds[node] == Kind.ARRAY) {
      return ends[node];
    }
    if (kinds[node] == Kind.STRING) {
      return JsonStrings.end(json, start + 1);
    }
    int end = start;
    while (end < json.length && JsonStrings.isScalarByte(json[end])) {
      end++;
    }
    return end;
  }
}
