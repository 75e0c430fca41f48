package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ShownText;
import dev.bridle.harp.core.Artifact;
import java.util.ArrayList;
import java.util.List;

/** An artifact in lines for a person, all of them safe to print. */
final class ShownArtifact {
  private ShownArtifact() {}

  /** Returns the lines: what it is about, until when, and each member of the payload whole. */
  static List<String> lines(Artifact artifact) {
    List<String> lines = new ArrayList<>();
    lines.add(artifact.type() + " " + ShownText.line(artifact.requestId()));
    lines.add("in " + ShownText.line(artifact.repoRef()));
    lines.add("until " + artifact.expiresAt());
    artifact
        .payload()
        .properties()
        .forEach(member -> add(lines, ShownText.line(member.getKey()), member.getValue()));
    lines.add("hash " + artifact.hash());
    return lines;
  }

  /** A text of several lines, such as a command or a difference, is shown as it is. */
  private static void add(List<String> lines, String name, JsonNode value) {
    String text = value.isTextual() ? value.textValue() : value.toString();
    if (text.lines().count() <= 1) {
      lines.add("  " + name + ": " + ShownText.line(text));
    } else {
      lines.add("  " + name + ":");
      ShownText.lines(text).forEach(line -> lines.add("  " + line));
    }
  }
}
