package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the events of a task keep of its tool calls' inputs and outputs, and of what is no text in
 * messages, within bounds. For one thread at a time.
 */
final class KeptContent {
  /** How many UTF-16 units are kept of what one call gave back. */
  static final int MOST_OUTPUT = 32 << 10;

  /** How many of what one is called with. */
  static final int MOST_INPUT = 16 << 10;

  /** How many of all calls of a task; of what comes later, size and hash are kept. */
  static final int MOST_OF_TASK = 4 << 20;

  private static final int MOST_CALLS = 1000;

  /** How many images and the like of a task are kept as artifacts, and how large ones. */
  private static final int MOST_ATTACHED = 20;

  private static final int MOST_ATTACHED_BYTES = 1 << 20;

  /** The hashes of what events have of each call: of its input, and of its output. */
  private final Map<String, String> inputs = latest();

  private final Map<String, String> outputs = latest();
  private int left = MOST_OF_TASK;
  private int attached;

  private static Map<String, String> latest() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
        return size() > MOST_CALLS;
      }
    };
  }

  /** Adds what a call is called with, unless an event has it. */
  void addInput(ToolCall call, ObjectNode event) {
    RawJson input = call.rawInput();
    String hash = Sha256.hex(input.bytes());
    if (saysNothing(input) || hash.equals(inputs.put(call.id(), hash))) {
      return;
    }
    int most = Math.min(MOST_INPUT, left);
    Optional<JsonNode> whole = KeptText.json(input, most);
    if (whole.isPresent()) {
      left -= input.length();
      event.set("input", whole.get());
    } else {
      CutText cut = CutText.of(input.toString(), most);
      left -= cut.length();
      cut.putInto(event.putObject("input_cut"));
    }
  }

  /** Agents announce calls with a placeholder, before the model has written the input. */
  private static boolean saysNothing(RawJson input) {
    return !input.isPresent() || input.toString().matches("\\s*(\\{\\s*\\}|null)\\s*");
  }

  /** Adds what a call gave back that has ended. */
  void addOutput(ToolCall call, ObjectNode event) {
    outputs.put(call.id(), hash(call));
    ArrayNode output = output(call);
    if (!output.isEmpty()) {
      event.set("output", output);
    }
  }

  /** Returns what a call gave back after its end; empty if an event has it. */
  Optional<ArrayNode> laterOutput(ToolCall call) {
    String hash = hash(call);
    return hash.equals(outputs.put(call.id(), hash))
        ? Optional.empty()
        : Optional.of(output(call)).filter(parts -> !parts.isEmpty());
  }

  private static String hash(ToolCall call) {
    return Sha256.hex(call.content() + "\n" + call.rawOutput());
  }

  private ArrayNode output(ToolCall call) {
    ArrayNode output = ToolOutput.of(call, Math.min(MOST_OUTPUT, left));
    left = Math.max(0, left - output.toString().length());
    return output;
  }

  /** Returns what is kept of a block of a message. */
  ObjectNode block(ContentBlock block) {
    ObjectNode kept = block.kept(Math.min(MOST_OUTPUT, left));
    left = Math.max(0, left - kept.toString().length());
    return kept;
  }

  /** Returns the bytes that become artifacts, of as many blocks as a task may have of them. */
  List<AttachedBytes> attachments(Stream<ContentBlock> blocks) {
    List<AttachedBytes> found =
        blocks
            .flatMap(block -> block.bytes().stream())
            .filter(bytes -> bytes.length() <= MOST_ATTACHED_BYTES)
            .limit(Math.max(0, MOST_ATTACHED - attached))
            .toList();
    attached += found.size();
    return found;
  }
}
