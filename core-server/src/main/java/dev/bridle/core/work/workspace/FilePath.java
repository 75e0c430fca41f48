package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.error.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;

/**
 * The normalized path of a file or directory in a workspace. Equal files have equal paths, and no
 * path leads out of the workspace.
 *
 * @param text its parts, separated by slashes; empty for the root
 */
public record FilePath(String text) {
  private static final int MAX_BYTES = 1024;
  private static final int MAX_PARTS = 32;
  private static final int MAX_PART_BYTES = 255;
  private static final String PARAM = "path";

  /** The root. */
  static final FilePath ROOT = new FilePath("");

  /** Parses a path; {@code invalid_request} if it is invalid or leads out of the workspace. */
  public static FilePath parse(String given) {
    if (given.startsWith("/") || given.startsWith("\\") || given.matches("[A-Za-z]:[/\\\\].*")) {
      throw bad("must not be absolute; paths are relative to the workspace's root");
    }
    if (given.chars().anyMatch(c -> c < 0x20 || c == 0x7f || c == '\\')) {
      throw bad("must not contain control characters or backslashes");
    }
    String text = Normalizer.normalize(given, Normalizer.Form.NFC);
    List<String> parts = new ArrayList<>();
    for (String part : text.isEmpty() ? List.<String>of() : List.of(text.split("/", -1))) {
      if (part.equals("..")) {
        throw bad("must not contain '..'");
      }
      if (part.isEmpty()) {
        throw bad("must not contain an empty part");
      }
      if (bytes(part) > MAX_PART_BYTES) {
        throw bad("must have parts of at most " + MAX_PART_BYTES + " bytes");
      }
      if (!part.equals(".")) {
        parts.add(part);
      }
    }
    String clean = String.join("/", parts);
    if (parts.size() > MAX_PARTS || bytes(clean) > MAX_BYTES) {
      throw bad("must have at most " + MAX_PARTS + " parts and " + MAX_BYTES + " bytes");
    }
    return new FilePath(clean);
  }

  /** Returns whether a text is a normalized path. */
  static boolean isNormalized(String text) {
    try {
      return parse(text).text().equals(text);
    } catch (ProtocolException none) {
      return false;
    }
  }

  /** Returns whether this is the root folder of its workspace. */
  public boolean isRoot() {
    return text.isEmpty();
  }

  /** Returns its parent directories without the root, outermost first. */
  List<FilePath> directories() {
    List<FilePath> all = new ArrayList<>();
    for (int at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
      all.add(new FilePath(text.substring(0, at)));
    }
    return all;
  }

  /** Returns the prefix of all paths below this directory. */
  String below() {
    return isRoot() ? "" : text + "/";
  }

  /** Returns the path for responses; "." for the root. */
  public String displayText() {
    return isRoot() ? "." : text;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static ProtocolException bad(String why) {
    return ProtocolException.invalid(PARAM, why);
  }
}
