package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.rpc.RawJson;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A tool call with everything that was said of it so far, the latest of each member.
 *
 * @param id the agent's id of it
 * @param members all members as they were spelled, those of vendors too
 */
public record ToolCall(String id, Map<String, RawJson> members) {
  private static final Set<String> ACTING = Set.of("execute", "edit", "delete", "move", "fetch");
  private static final Set<String> READING = Set.of("read", "search", "think", "switch_mode");

  /** Copies, in order. */
  public ToolCall {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  static ToolCall of(RawJson said) {
    return new ToolCall(Members.of(said).text("toolCallId"), Map.of()).with(said);
  }

  ToolCall named(String other) {
    return new ToolCall(other, members);
  }

  /** What is said now replaces what was said before, member by member; null says nothing. */
  ToolCall with(RawJson said) {
    Map<String, RawJson> merged = new LinkedHashMap<>(members);
    Members update = Members.of(said);
    for (String name : update.names()) {
      RawJson value = update.raw(name);
      if (value.isPresent() && !name.equals("toolCallId") && !name.equals("sessionUpdate")) {
        merged.put(
            name,
            name.equals("_meta") && merged.containsKey(name)
                ? HarnMembers.joined(merged.get(name), value)
                : value.alone());
      }
    }
    return new ToolCall(id, merged);
  }

  /** For people; agents write what they like. */
  public String title() {
    return Members.of(members).text("title");
  }

  /** A hint for icons, such as {@code edit}: no statement about side effects. */
  public String kind() {
    return Members.of(members).text("kind");
  }

  /** Whether it changes something or reaches out, as far as the agent says what it is. */
  public boolean acts() {
    return ACTING.contains(kind());
  }

  /** Whether it only reads, as far as the agent says what it is; what says nothing may act. */
  public boolean onlyReads() {
    return READING.contains(kind());
  }

  /** {@code pending}, {@code in_progress}, {@code completed}, {@code failed}, or another word. */
  public String status() {
    return Members.of(members).text("status");
  }

  /** Whether nothing more is to come. */
  public boolean over() {
    return status().equals("completed") || status().equals("failed");
  }

  /** What the tool is called with, as it was spelled. */
  public RawJson rawInput() {
    return Members.of(members).raw("rawInput");
  }

  /** What the tool gave back, as it was spelled. */
  public RawJson rawOutput() {
    return Members.of(members).raw("rawOutput");
  }

  /** Texts, differences and terminals. */
  public JsonNode content() {
    return Members.of(members).json("content");
  }

  /** The files that it is about, as the agent says: objects with a {@code path}. */
  public JsonNode locations() {
    return Members.of(members).json("locations");
  }

  int bytes() {
    return members.values().stream().mapToInt(RawJson::length).sum();
  }
}
