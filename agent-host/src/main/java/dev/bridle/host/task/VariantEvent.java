package dev.bridle.host.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.HarnMembers;
import dev.bridle.host.acp.SessionUpdate;
import java.util.Map;
import java.util.Set;

/**
 * The event of an update of a variant that ACP does not have: Harn's and others' are kept as they
 * were spelled, if they are not too long.
 */
final class VariantEvent {
  private static final int MAX_UPDATE = 16 << 10;

  /** The kinds of events of the updates that the protocol has a kind for. */
  private static final Map<String, String> KINDS =
      Map.of(
          "worker_update", "agent.handoff",
          "handoff", "agent.handoff",
          "transcript_compacted", "session.compacted");

  /** What says something of a child that works for the agent. */
  private static final Set<String> HANDOFFS = Set.of("worker_update", "handoff");

  private VariantEvent() {}

  static String kind(SessionUpdate.Other other) {
    return KINDS.getOrDefault(other.variant(), "vendor.agent_host.update");
  }

  static ObjectNode payload(SessionUpdate.Other other, SkillIds skillIds) {
    ObjectNode payload = JsonNodeFactory.instance.objectNode().put("variant", cut(other.variant()));
    ChildLineage.of(other)
        .filter(child -> HANDOFFS.contains(other.variant()))
        .ifPresent(child -> payload.set("child", child));
    if (other.variant().startsWith("skill_")) {
      skill(other, payload, skillIds);
    }
    KeptText.json(other.update(), MAX_UPDATE)
        .ifPresentOrElse(
            update -> payload.set("update", update),
            () -> payload.put("bytes", other.update().length()));
    return payload;
  }

  private static void skill(SessionUpdate.Other other, ObjectNode payload, SkillIds skillIds) {
    String name = HarnMembers.of(other.update()).text("skillName");
    if (!name.isEmpty()) {
      payload.put("skill_name", cut(name));
      skillIds.of(name).ifPresent(id -> payload.put("skill_id", id));
    }
  }

  private static String cut(String text) {
    return KeptText.of(text, TaskReports.MAX_TITLE);
  }
}
