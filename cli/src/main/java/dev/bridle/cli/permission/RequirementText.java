package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ShownText;
import java.util.ArrayList;
import java.util.List;

/** Says in lines what approval rules require. */
public final class RequirementText {
  private RequirementText() {}

  /** Returns the lines of a requirement. */
  public static List<String> lines(JsonNode policy) {
    List<String> lines = new ArrayList<>();
    lines.add("rules: " + joined(policy.path("rules")));
    StringBuilder approvals = new StringBuilder("approvals: ").append(policy.path("approvers"));
    policy
        .path("roles")
        .forEach(
            role ->
                approvals
                    .append(", ")
                    .append(role.path("count"))
                    .append(" of ")
                    .append(role.path("role").asText()));
    lines.add(approvals.toString());
    if (policy.path("not_submitter").asBoolean()) {
      lines.add("not by: who has submitted the task");
    }
    if (!policy.path("channels").isEmpty()) {
      lines.add("answers by: " + joined(policy.path("channels")));
    }
    if (policy.has("answer_within_seconds")) {
      lines.add("decided within: " + policy.path("answer_within_seconds") + " s");
    }
    if (policy.has("usable_for_seconds")) {
      lines.add("used within: " + policy.path("usable_for_seconds") + " s");
    }
    JsonNode grants = policy.path("may_grant");
    lines.add("may be granted: " + (grants.isEmpty() ? "once only" : joined(grants)));
    return lines.stream().map(ShownText::line).toList();
  }

  private static String joined(JsonNode texts) {
    List<String> all = new ArrayList<>();
    texts.forEach(text -> all.add(text.asText()));
    return String.join(", ", all);
  }
}
