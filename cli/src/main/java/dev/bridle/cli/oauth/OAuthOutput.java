package dev.bridle.cli.oauth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Timestamp;
import dev.bridle.admin.v1.ImportedReceiptKey;
import dev.bridle.admin.v1.OAuthClient;
import dev.bridle.admin.v1.SigningKey;
import dev.bridle.cli.console.JsonLines;
import java.time.Instant;
import java.util.List;

/** Formats clients and signing keys for people and for scripts. */
final class OAuthOutput {

  private OAuthOutput() {}

  static ObjectNode json(OAuthClient client) {
    ObjectNode json =
        JsonLines.object()
            .put("id", client.getId())
            .put("tenant_id", client.getTenantId())
            .put("actor", client.getActor());
    array(json, "scopes", client.getScopesList());
    array(json, "workspace_ids", client.getWorkspaceIdsList());
    json.put("created_at", time(client.getCreatedAt()));
    json.put("revoked_at", client.hasRevokedAt() ? time(client.getRevokedAt()) : null);
    return json;
  }

  static String text(OAuthClient client) {
    return String.format(
        "%s  %-12s %-16s %s  %s%s",
        client.getId(),
        client.getTenantId(),
        client.getActor(),
        time(client.getCreatedAt()),
        String.join(",", client.getScopesList()),
        client.hasRevokedAt() ? "  revoked " + time(client.getRevokedAt()) : "");
  }

  static String[] cells(OAuthClient client) {
    return new String[] {
      client.getId(),
      client.getTenantId(),
      client.getActor(),
      time(client.getCreatedAt()),
      String.join(",", client.getScopesList()),
      client.hasRevokedAt() ? time(client.getRevokedAt()) : ""
    };
  }

  static String[] cells(SigningKey key) {
    return new String[] {key.getId(), key.getPurpose(), time(key.getCreatedAt()), state(key)};
  }

  static ObjectNode json(SigningKey key) {
    return JsonLines.object()
        .put("id", key.getId())
        .put("purpose", key.getPurpose())
        .put("created_at", time(key.getCreatedAt()))
        .put("retired_at", key.hasRetiredAt() ? time(key.getRetiredAt()) : null)
        .put("ends_at", key.hasEndsAt() ? time(key.getEndsAt()) : null)
        .put(
            "compromised_since",
            key.hasCompromisedSince() ? time(key.getCompromisedSince()) : null);
  }

  static String text(SigningKey key) {
    return String.format(
        "%s  %-5s  %s%s",
        key.getId(), key.getPurpose(), time(key.getCreatedAt()), "  " + state(key));
  }

  static String[] cells(ImportedReceiptKey key) {
    return new String[] {key.getId(), "receipt", time(key.getCreatedAt()), state(key)};
  }

  static ObjectNode json(ImportedReceiptKey key) {
    return JsonLines.object()
        .put("id", key.getId())
        .put("purpose", "receipt")
        .put("imported_into", key.getTenantId().isEmpty() ? null : key.getTenantId())
        .put("confirmed", key.getConfirmed())
        .put("created_at", time(key.getCreatedAt()))
        .put("retired_at", key.hasRetiredAt() ? time(key.getRetiredAt()) : null)
        .put(
            "compromised_since",
            key.hasCompromisedSince() ? time(key.getCompromisedSince()) : null);
  }

  private static String state(ImportedReceiptKey key) {
    return (key.getTenantId().isEmpty() ? "in no tenant" : "imported into " + key.getTenantId())
        + (key.getConfirmed() ? "" : ", not confirmed")
        + (key.hasCompromisedSince()
            ? ", compromised since " + time(key.getCompromisedSince())
            : "");
  }

  private static String state(SigningKey key) {
    if (key.hasCompromisedSince()) {
      return "compromised since " + time(key.getCompromisedSince());
    }
    return key.hasRetiredAt() ? "retired, verifies until " + time(key.getEndsAt()) : "signs";
  }

  private static void array(ObjectNode json, String name, List<String> values) {
    var array = json.putArray(name);
    values.forEach(array::add);
  }

  private static String time(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).toString();
  }
}
