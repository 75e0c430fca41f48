package dev.bridle.cli.apikey;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Timestamp;
import dev.bridle.admin.v1.ApiKey;
import dev.bridle.cli.console.JsonLines;
import java.time.Instant;
import java.util.List;

/** Formats API keys for people and for scripts. */
final class KeyOutput {

  private KeyOutput() {}

  static ObjectNode json(ApiKey key) {
    ObjectNode json =
        JsonLines.object()
            .put("id", key.getId())
            .put("tenant_id", key.getTenantId())
            .put("actor", key.getActor());
    array(json.putArray("scopes"), key.getScopesList());
    array(json.putArray("workspace_ids"), key.getWorkspaceIdsList());
    json.put("created_at", time(key.getCreatedAt()));
    json.put("revoked_at", key.hasRevokedAt() ? time(key.getRevokedAt()) : null);
    return json;
  }

  static String text(ApiKey key) {
    return String.format(
        "%s  %-12s %-16s %s  %s%s",
        key.getId(),
        key.getTenantId(),
        key.getActor(),
        time(key.getCreatedAt()),
        String.join(",", key.getScopesList()),
        key.hasRevokedAt() ? "  revoked " + time(key.getRevokedAt()) : "");
  }

  static String[] cells(ApiKey key) {
    return new String[] {
      key.getId(),
      key.getTenantId(),
      key.getActor(),
      time(key.getCreatedAt()),
      String.join(",", key.getScopesList()),
      key.hasRevokedAt() ? time(key.getRevokedAt()) : ""
    };
  }

  private static void array(ArrayNode array, List<String> values) {
    values.forEach(array::add);
  }

  private static String time(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).toString();
  }
}
