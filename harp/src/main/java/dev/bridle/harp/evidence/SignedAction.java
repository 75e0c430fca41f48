package dev.bridle.harp.evidence;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The action that an approver was shown, in short: a bundle can have thousands, each of megabytes.
 * All texts are the agent's, and not safe to print.
 *
 * @param about what it is called
 * @param parts the members of its content in short, those that people read first at the front
 * @param partsLeftOut how many more members there are
 * @param files the files that it edits, the first of them
 * @param filesLeftOut how many more files there are
 */
public record SignedAction(
    About about, List<Part> parts, int partsLeftOut, List<String> files, int filesLeftOut) {
  /** The most characters of all texts of an action together, about. */
  private static final int MAX_CHARACTERS = 4_000;

  private static final int MAX_PART = 1_000;
  private static final int MAX_NAME = 100;
  private static final int MAX_TITLE = 200;
  private static final int MAX_PARTS = 30;
  private static final int MAX_FILES = 10;

  /** What is deeper is spelled as JSON. */
  private static final int DEEPEST = 4;

  /** What people read first of an action. */
  private static final List<String> FIRST =
      List.of("command", "argv", "args", "arguments", "cwd", "path", "file_path");

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** Copies the lists. */
  public SignedAction {
    parts = List.copyOf(parts);
    files = List.copyOf(files);
  }

  /**
   * What an action is called.
   *
   * @param kind its kind, such as {@code command}
   * @param tool the agent's tool, or empty
   * @param title the agent's title, or empty
   * @param notExact why it is not known exactly what the action does, or empty where it is
   */
  public record About(String kind, String tool, String title, String notExact) {}

  /**
   * A member of the content.
   *
   * @param name where it is in the content
   * @param text the begin of its text, or of its JSON
   * @param characters how many characters the whole text has, in UTF-16
   */
  public record Part(String name, String text, long characters) {
    /** Returns whether the text is not whole. */
    public boolean isShortened() {
      return text.length() < characters;
    }
  }

  /**
   * Reads what an artifact shows.
   *
   * @param artifact the artifact, which its caller has verified
   */
  static SignedAction of(ObjectNode artifact) {
    JsonNode payload = artifact.path("payload");
    Shortening parts = new Shortening();
    String content = payload.path("content").asText();
    try {
      parts.addAll(MAPPER.readTree(content));
    } catch (JsonProcessingException e) {
      parts.addText("content", content); // What people see is not what is verified.
    }
    JsonNode edited = payload.path("editedFiles");
    List<String> files = new ArrayList<>();
    edited.forEach(
        file -> {
          if (files.size() < MAX_FILES) {
            files.add(cut(file.asText(), MAX_TITLE));
          }
        });
    return new SignedAction(
        new About(
            cut(payload.path("kind").asText(), MAX_NAME),
            cut(payload.path("tool").asText(), MAX_NAME),
            cut(payload.path("title").asText(), MAX_TITLE),
            cut(payload.path("notExact").asText(), MAX_TITLE)),
        parts.parts,
        parts.leftOut,
        files,
        edited.size() - files.size());
  }

  /** Returns whether anything of the content is left out. */
  public boolean isShortened() {
    return partsLeftOut > 0 || filesLeftOut > 0 || parts.stream().anyMatch(Part::isShortened);
  }

  /** Returns the begin of a text, which never ends within a character. */
  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = most > 0 && Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end);
  }

  /** Collects parts until they are many or long. */
  private static final class Shortening {
    private final List<Part> parts = new ArrayList<>();
    private int room = MAX_CHARACTERS;
    private int leftOut;

    void addAll(JsonNode content) {
      if (!content.isObject()) {
        add("content", content, 0);
        return;
      }
      Set<String> names = new LinkedHashSet<>();
      FIRST.stream().filter(content::has).forEach(names::add);
      content.fieldNames().forEachRemaining(names::add);
      names.forEach(name -> add(name, content.get(name), 1));
    }

    private void add(String name, JsonNode value, int depth) {
      if (value.isTextual()) {
        addText(name, value.textValue());
      } else if (value.isEmpty() || depth >= DEEPEST) {
        addText(name, value.toString());
      } else if (value.isObject()) {
        value.properties().forEach(m -> add(name + "." + m.getKey(), m.getValue(), depth + 1));
      } else {
        for (int at = 0; at < value.size(); at++) {
          add(name + "[" + at + "]", value.get(at), depth + 1);
        }
      }
    }

    void addText(String name, String text) {
      if (parts.size() == MAX_PARTS || room <= 0) {
        leftOut++;
        return;
      }
      Part part = new Part(cut(name, MAX_NAME), cut(text, Math.min(MAX_PART, room)), text.length());
      parts.add(part);
      room -= part.name().length() + part.text().length();
    }
  }
}
