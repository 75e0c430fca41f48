package dev.bridle.worker.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.worker.Permission;
import dev.bridle.worker.TaskFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An action of the demo agent that needs a permission, to demonstrate permission requests.
 *
 * @param permission the permission request
 */
record DemoAct(Permission permission) {
  private static final String ARGUMENTS = "arguments";
  private static final List<PermissionOption> OPTIONS =
      List.of(
          option("allow", "Do it", PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ONCE),
          option("reject", "Don't", PermissionOptionKind.PERMISSION_OPTION_KIND_REJECT_ONCE));

  private static PermissionOption option(String id, String name, PermissionOptionKind kind) {
    return PermissionOption.newBuilder().setId(id).setName(name).setKind(kind).build();
  }

  /** Reads the member {@code act}: a JSON object. */
  static Optional<DemoAct> of(JsonNode act) throws TaskFailure {
    if (act.isMissingNode() || act.isNull()) {
      return Optional.empty();
    }
    if (!act.isObject()) {
      throw DemoInput.bad("`act` is not an object");
    }
    ObjectNode content = act.deepCopy();
    content.remove(
        List.of("tool", "side_effect", "approvers", "required", "timeout_ms", "metadata"));
    Permission permission =
        Permission.of("tool_call", content, "May the demo agent do this?")
            .withTool(act.path("tool").asText("demo"))
            .withTitle("Act, and note the time")
            .withOptions(OPTIONS)
            .approvedBy(required(act), approvers(act));
    if (act.path("side_effect").isTextual()) {
      permission = permission.withSideEffect(act.path("side_effect").textValue());
    }
    if (act.path("metadata") instanceof ObjectNode metadata) {
      permission = permission.withMetadata(metadata);
    }
    if (act.path(ARGUMENTS).isObject()) {
      permission = permission.acceptingModified(ARGUMENTS);
    }
    return Optional.of(new DemoAct(limited(permission, act)));
  }

  private static int required(JsonNode act) throws TaskFailure {
    JsonNode required = act.path("required");
    if (!required.isMissingNode() && !required.isInt()) {
      throw DemoInput.bad("`act.required` is not a whole number");
    }
    return required.asInt(1);
  }

  private static List<String> approvers(JsonNode act) throws TaskFailure {
    List<String> approvers = new ArrayList<>();
    for (JsonNode approver : act.path("approvers")) {
      if (!approver.isTextual()) {
        throw DemoInput.bad("`act.approvers` has an item that is not a string");
      }
      approvers.add(approver.textValue());
    }
    return approvers;
  }

  private static Permission limited(Permission permission, JsonNode act) throws TaskFailure {
    JsonNode timeout = act.path("timeout_ms");
    if (timeout.isMissingNode()) {
      return permission;
    }
    if (!timeout.isInt() || timeout.intValue() < 1) {
      throw DemoInput.bad("`act.timeout_ms` is not a whole number above 0");
    }
    return permission.within(Duration.ofMillis(timeout.intValue()));
  }
}
