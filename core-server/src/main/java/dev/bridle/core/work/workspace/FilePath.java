package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.error.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a file or a directory lies in a workspace: in one spelling only, so that nothing is there
 * twice, and never outside.
 *
 * @param text its parts, separated by slashes; empty for the root
 */
public record FilePath(String text) {
  private static final int MOST_BYTES = 1024;
  private static final int MOST_PARTS = 32;
  private static final int MOST_BYTES_OF_PART = 255;
  private static final String PARAM = "path";

  /** The root. */
  static final FilePath ROOT = new FilePath("");

  /** Reads a path; {@code invalid_request} where it is none, or leads out of the workspace. */
  public static FilePath parse(String given) {
    if (given.startsWith("/") || given.startsWith("\\") || given.matches("[A-Za-z]:[/\\\\].*")) {
      throw bad("must not be absolute; it begins at the workspace's root");
    }
    if (given.chars().anyMatch(c -> c < 0x20 || c == 0x7f || c == '\\')) {
      throw bad("must hold no control characters and no backslashes");
    }
    String text = Normalizer.normalize(given, Normalizer.Form.NFC);
    List<String> parts = new ArrayList<>();
    for (String part : text.isEmpty() ? List.<String>of() : List.of(text.split("/", -1))) {
      if (part.equals("..")) {
        throw bad("must not hold '..'");
      }
      if (part.isEmpty()) {
        throw bad("must not hold an empty part");
      }
      if (bytes(part) > MOST_BYTES_OF_PART) {
        throw bad("must have parts of at most " + MOST_BYTES_OF_PART + " bytes");
      }
      if (!part.equals(".")) {
        parts.add(part);
      }
    }
    String clean = String.join("/", parts);
    if (parts.size() > MOST_PARTS || bytes(clean) > MOST_BYTES) {
      throw bad("must have at most " + MOST_PARTS + " parts and " + MOST_BYTES + " bytes");
    }
    return new FilePath(clean);
  }

  /** Returns whether a text is a path, spelled as paths are. */
  static boolean spells(String text) {
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

  /** Returns the directories that it lies in, but for the root, the outermost first. */
  List<FilePath> directories() {
    List<FilePath> all = new ArrayList<>();
    for (int at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
      all.add(new FilePath(text.substring(0, at)));
    }
    return all;
  }

  /** Returns what the paths of all begin with that lies in it. */
  String below() {
    return isRoot() ? "" : text + "/";
  }

  /** Returns the path as answers have it. */
  public String told() {
    return isRoot() ? "." : text;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static ProtocolException bad(String why) {
    return ProtocolException.invalid(PARAM, why);
  }
}
