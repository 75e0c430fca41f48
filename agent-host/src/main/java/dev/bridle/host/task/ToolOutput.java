package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.host.rpc.RawJson;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

/**
 * What a tool call gave back, as events keep it: texts, unified diffs, links, references to
 * terminals, and the raw output as far as it says more than these.
 */
final class ToolOutput {
  private static final int MAX_PARTS = 64;
  private static final int MAX_NAME = 1000;
  private static final int MAX_PATH = 4096;

  private final ArrayNode parts = JsonNodeFactory.instance.arrayNode();
  private final Set<String> texts = new HashSet<>();
  private int left;

  private ToolOutput(int most) {
    this.left = most;
  }

  /**
   * Returns the parts of what a call gave back; empty if the agent says nothing of it.
   *
   * @param most how many UTF-16 units of texts are kept in all
   */
  static ArrayNode of(ToolCall call, int most) {
    ToolOutput output = new ToolOutput(most);
    int seen = 0;
    for (JsonNode part : call.content()) {
      if (++seen <= MAX_PARTS) {
        output.add(part);
      }
    }
    if (seen > MAX_PARTS) {
      output.part("more").put("parts", seen - MAX_PARTS);
    }
    output.addRaw(call.rawOutput());
    return output.parts;
  }

  private ObjectNode part(String type) {
    return parts.addObject().put("type", type);
  }

  private void add(JsonNode part) {
    switch (part.path("type").asText()) {
      case "content" -> {
        ContentBlock block = new ContentBlock(part.path("content"));
        block.textBlock().ifPresent(text -> texts.add(text.strip()));
        ObjectNode kept = block.kept(left);
        left -= kept.path("text").asText().length() + kept.path("tail").asText().length();
        parts.add(kept);
      }
      case "diff" -> diff(part);
      case "terminal" ->
          part("terminal")
              .put("terminal_id", KeptText.of(part.path("terminalId").asText(""), MAX_NAME));
      default -> parts.add(new ContentBlock(part).kept(left));
    }
  }

  /** The texts may be parts of the file, so that their hashes are those of the texts alone. */
  private void diff(JsonNode part) {
    FileChange change = FileChange.of(part);
    ObjectNode kept = part("diff").put("path", KeptText.of(change.path(), MAX_PATH));
    text(kept, TextDifference.of(change.before(), change.newText()).text());
    change.oldText().ifPresent(text -> kept.put("before_sha256", Sha256.PREFIX + Sha256.hex(text)));
    kept.put("after_sha256", Sha256.PREFIX + Sha256.hex(change.newText()));
  }

  private void text(ObjectNode kept, String text) {
    CutText cut = CutText.of(text, left);
    left -= cut.length();
    cut.putInto(kept);
  }

  private void addRaw(RawJson output) {
    JsonNode raw;
    try {
      raw = output.json();
    } catch (BadJson e) {
      part("raw").put("bytes", output.length()).put("unreadable", true);
      return;
    }
    if (raw.isTextual()) {
      if (!isThere(raw)) {
        text(part("raw"), raw.textValue());
      }
      return;
    }
    if (raw.isContainerNode()) {
      leaveOut(raw);
    }
    if (raw.isMissingNode() || raw.isNull() || (raw.isContainerNode() && raw.isEmpty())) {
      return;
    }
    ObjectNode kept = part("raw");
    RawJson rest = RawJson.of(raw);
    if (rest.length() <= left && KeptText.json(rest, left).isPresent()) {
      left -= rest.length();
      kept.set("value", raw);
    } else {
      text(kept, rest.toString());
    }
  }

  private boolean isThere(JsonNode text) {
    return text.isTextual() && texts.contains(text.textValue().strip());
  }

  /** Agents repeat in the raw output what the content has. */
  private void leaveOut(JsonNode raw) {
    for (Iterator<JsonNode> members = raw.elements(); members.hasNext(); ) {
      JsonNode member = members.next();
      if (raw.isObject() && (isThere(member) || isBlank(member))) {
        members.remove();
      } else if (member.isContainerNode()) {
        leaveOut(member);
      }
    }
  }

  private static boolean isBlank(JsonNode member) {
    return member.isNull() || (member.isTextual() && member.textValue().isEmpty());
  }
}
