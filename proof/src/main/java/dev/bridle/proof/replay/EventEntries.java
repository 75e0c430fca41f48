package dev.bridle.proof.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.replay.EntryList.Derivation;
import dev.bridle.proof.replay.EntryList.Derived;
import dev.bridle.proof.replay.EntryList.Names;
import java.util.List;
import java.util.Optional;

/** The lists whose entries are what one event each says. */
final class EventEntries {
  private static final String EFFECTS = "/side_effects/";

  private EventEntries() {}

  static ListFold fileWrites(SourceReceipt source) {
    return sideEffect(
        source,
        Names.of("fs_writes", EFFECTS + "fs_writes", "file_write"),
        same("vendor.bridle.file_written"));
  }

  static ListFold handoffs(SourceReceipt source) {
    return sideEffect(
        source,
        Names.of("a2a_handoffs", EFFECTS + "a2a_handoffs", "handoff"),
        same("vendor.bridle.handed_off"));
  }

  /** The purpose is free text, which the receipt does not have. */
  static ListFold networkEgress(SourceReceipt source) {
    return sideEffect(
        source,
        Names.of("network_egress", EFFECTS + "network_egress", "network_egress"),
        (line, listed) -> {
          Derived derived = same("vendor.bridle.network_egress").derive(line, listed);
          return derived instanceof Derived.Entry entry
              ? new Derived.Entry(entry.part().put("purpose", "redacted"))
              : derived;
        });
  }

  static ListFold toolCalls(SourceReceipt source) {
    Names names = Names.of("tool_calls", EFFECTS + "tool_calls", "tool_call");
    return sideEffect(source, names, new ToolCallDerivation());
  }

  static ListFold dependencies(SourceReceipt source) {
    String pointer = "/replay_input/materials";
    List<JsonNode> listed = source.dependencies();
    int offset = source.list(pointer).size() - listed.size();
    return new EntryList(
        source,
        new Names("dependencies", pointer, offset, "material"),
        listed,
        EventEntries::dependency);
  }

  private static ListFold sideEffect(SourceReceipt source, Names names, Derivation derivation) {
    return new EntryList(source, names, source.list(names.pointer()), derivation);
  }

  private static Derivation same(String event) {
    return (line, listed) -> line.event().equals(event) ? entryOf(line.json()) : new Derived.None();
  }

  /** Returns an entry that is the payload itself. */
  static Derived entryOf(Optional<JsonNode> payload) {
    return payload
        .filter(ObjectNode.class::isInstance)
        .<Derived>map(part -> new Derived.Entry((ObjectNode) part))
        .orElseGet(Derived.Hidden::new);
  }

  private static Derived dependency(LogLine line, Optional<JsonNode> listed) {
    boolean recorded = line.event().equals("vendor.bridle.dependency_recorded");
    if (!recorded && !line.event().equals("vendor.bridle.secret_used")) {
      return new Derived.None();
    }
    Optional<JsonNode> payload = line.json();
    if (payload.isEmpty()) {
      return new Derived.Hidden();
    }
    JsonNode said = payload.get();
    String key = said.path(recorded ? "key" : "step_key").asText();
    ObjectNode part =
        JsonNodeFactory.instance
            .objectNode()
            .put("kind", recorded ? kind(key, said.path("kind").asText()) : "host_fact")
            .put("id", key);
    ObjectNode metadata =
        part.putObject("metadata")
            .put("commitment", said.path("commitment").asText())
            .put("sequence", line.sequence());
    String measure = recorded ? "size" : "version";
    metadata.put(measure, said.path(measure).longValue());
    if (recorded && said.has("input_hash")) {
      metadata.put("input_hash", said.path("input_hash").asText());
    }
    return new Derived.Entry(part);
  }

  /** Returns a material's kind: the stated one, or else the one that the key's prefix says. */
  private static String kind(String key, String stated) {
    String prefix = stated.isEmpty() ? key : stated + ":";
    if (prefix.startsWith("llm:")) {
      return "llm_provider_response";
    }
    return prefix.startsWith("mcp:") ? "mcp_tool_return" : "host_fact";
  }
}
