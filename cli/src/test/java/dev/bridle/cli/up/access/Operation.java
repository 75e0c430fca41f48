package dev.bridle.cli.up.access;

import build.buf.validate.ValidateProto;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.bridle.api.v1.Delivery;
import dev.bridle.api.v1.Options;
import dev.bridle.gateway.route.Route;
import dev.bridle.harp.seal.DeviceKeys;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An operation of the route table, and a request of it that is right. One that this class has never
 * heard of gets a request from its descriptor, so that it is in the matrix by itself.
 *
 * @param route the operation
 */
record Operation(Route route) {
  private static final String PARTS =
      "[{\"type\":\"text\",\"text\":\"hello\",\"visibility\":\"public\"}]";

  /** Stands for a name that nothing has yet. */
  private static final String NEW_NAME = "#new_name";

  /** Stands for the keys of a device that nobody has yet. */
  private static final String NEW_KEYS = "#new_keys";

  private static final Pattern NAME = Pattern.compile("\\$(\\w+)");
  private static final Map<String, String> BODIES =
      Map.ofEntries(
          Map.entry("CreateWorkspace", "{\"name\":\"one\",\"root\":\"workspace://one\"}"),
          Map.entry("UpdateWorkspace", "{\"name\":\"two\"}"),
          Map.entry("WriteWorkspaceFile", "{\"path\":\"a.txt\",\"content\":\"one\"}"),
          Map.entry("CreateSession", "{\"workspace_id\":\"$workspace_id\"}"),
          Map.entry("UpdateSession", "{\"metadata\":{}}"),
          Map.entry("CloseSession", "{}"),
          Map.entry(
              "AppendSessionMessage", "{\"message\":{\"role\":\"user\",\"parts\":" + PARTS + "}}"),
          Map.entry("SubmitSessionTask", "{\"input\":{\"text\":\"one\"}}"),
          Map.entry("SubmitTask", "{\"session_id\":\"$session_id\",\"input\":{\"text\":\"one\"}}"),
          Map.entry(
              "AppendTaskMessage",
              "{\"kind\":\"input\",\"message\":{\"role\":\"user\",\"parts\":" + PARTS + "}}"),
          Map.entry("CancelTask", "{}"),
          Map.entry(
              "CreatePersona",
              "{\"module_ref\":\"harn://one\",\"name\":\"one\",\"version\":\"1\","
                  + "\"entry_workflow\":\"one.harn\",\"description\":\"one\","
                  + "\"autonomy_tier\":\"suggest\",\"receipt_policy\":\"optional\"}"),
          Map.entry("Redact", "{\"items\":[{\"object\":\"message\",\"id\":\"$message_id\"}]}"),
          Map.entry("CreateSkill", "{\"name\":\"one\",\"description\":\"one\"}"),
          Map.entry("CreateApprovalRole", "{\"name\":\"" + NEW_NAME + "\",\"actors\":[\"ada\"]}"),
          Map.entry(
              "CreateApprovalDevice",
              "{\"principal\":\"ada\",\"approver_id\":\"phone\"," + NEW_KEYS + "}"),
          Map.entry("RevokeApprovalDevice", "{}"),
          Map.entry("TestApprovalDevice", "{}"),
          Map.entry(
              "CreateHarpRepo",
              "{\"workspace_id\":\"$workspace_id\",\"repo_ref\":\"" + NEW_NAME + "\"}"),
          Map.entry("UpdateHarpRepo", "{\"metadata\":{}}"),
          Map.entry("CreateApprovalRule", "{\"name\":\"" + NEW_NAME + "\",\"disabled\":true}"),
          Map.entry("ExplainAction", "{\"session_id\":\"$session_id\",\"kind\":\"command\"}"),
          Map.entry("CreateQuota", "{\"scope\":\"tenant\",\"limits\":{\"tasks\":1000000}}"),
          Map.entry(
              "CreateMemory",
              "{\"scope\":\"session\",\"owner_id\":\"$session_id\",\"content\":{\"fish\":\"red\"},"
                  + "\"provenance\":{}}"),
          Map.entry(
              "CreateVault",
              "{\"workspace_id\":\"$workspace_id\",\"provider\":\"bridle\","
                  + "\"capabilities\":[\"read\",\"write\"]}"),
          Map.entry("UpdateVault", "{\"metadata\":{}}"),
          Map.entry(
              "CreateSchedule",
              "{\"workspace_id\":\"$workspace_id\",\"cron\":\"0 9 * * *\",\"text\":\"one\"}"),
          Map.entry("UpdateSchedule", "{\"text\":\"two\"}"),
          Map.entry("PauseSchedule", "{}"),
          Map.entry("ResumeSchedule", "{}"),
          Map.entry("SetVaultSecret", "{\"value\":\"one\"}"),
          Map.entry("RotateVaultSecret", "{\"value\":\"two\"}"),
          Map.entry(
              "CreateConnector",
              "{\"workspace_id\":\"$workspace_id\",\"provider\":\"one\",\"webhook\":{\"signature\":"
                  + "{\"preset\":\"none\"}},\"mapping\":{\"text\":\"{body}\"}}"),
          Map.entry("UpdateConnector", "{\"metadata\":{}}"),
          Map.entry("PauseConnector", "{}"),
          Map.entry("ResumeConnector", "{}"),
          Map.entry("PollConnector", "{}"),
          Map.entry("RenewConnectorIngress", "{}"),
          Map.entry("Redeliver", "{}"),
          Map.entry("DropDelivery", "{}"),
          Map.entry(
              "CreateWebhook",
              "{\"workspace_id\":\"$workspace_id\",\"url\":\"https://bridle.invalid/hook\"}"),
          Map.entry("UpdateWebhook", "{\"metadata\":{}}"),
          Map.entry("PauseWebhook", "{}"),
          Map.entry("ResumeWebhook", "{}"),
          Map.entry("TestWebhook", "{}"),
          Map.entry("RedeliverWebhookDelivery", "{}"),
          Map.entry("DropWebhookDelivery", "{}"),
          Map.entry("CreateSessionBranch", "{\"kind\":\"session\",\"base_ref\":\"main\"}"),
          Map.entry("ForkSession", "{}"),
          Map.entry("TruncateSession", "{\"keep_first\":0}"),
          Map.entry(
              "RegisterArtifact",
              "{\"workspace_id\":\"$workspace_id\",\"kind\":\"file\",\"mime_type\":\"text/plain\","
                  + "\"visibility\":\"public\"}"),
          Map.entry("CreateApprover", "{\"approver_id\":\"one\",\"actor\":\"ada\"}"),
          Map.entry("RevokeParty", "{\"role\":\"approver\",\"party_id\":\"$party_id\"}"),
          Map.entry("UploadArtifactContent", "bytes"));

  /** What is answered to the right request where that is no success: the task has ended. */
  private static final Map<String, Integer> RIGHT =
      Map.of("CancelTask", 400, "AppendTaskMessage", 400);

  /** Operations that let others make tasks, which only who may make them may do. */
  private static final Set<String> MAKES_TASKS =
      Set.of(
          "CreateConnector",
          "UpdateConnector",
          "ResumeConnector",
          "Redeliver",
          "CreateSchedule",
          "UpdateSchedule",
          "ResumeSchedule");

  /** Operations that tell others of tasks, which only who may read them may do. */
  private static final Set<String> TELLS_TASKS =
      Set.of("CreateWebhook", "UpdateWebhook", "ResumeWebhook", "RedeliverWebhookDelivery");

  String name() {
    return route.descriptor().getName();
  }

  String label() {
    return route.httpMethod() + " " + route.path().text() + " (" + name() + ")";
  }

  String method() {
    return route.httpMethod().name();
  }

  String scope() {
    return route.rule().getScope();
  }

  /** Its scope and those of what the resource that it makes will do, divided by blanks. */
  String scopes() {
    if (MAKES_TASKS.contains(name())) {
      return scope() + " sessions:write tasks:write";
    }
    return TELLS_TASKS.contains(name()) ? scope() + " events:read tasks:read" : scope();
  }

  boolean open() {
    return route.rule().getOpen();
  }

  /** Whether its request is known to be right, so that the answer is known to the digit. */
  boolean exact() {
    return !route.hasBody() || BODIES.containsKey(name());
  }

  /** The status of the answer to the right request. */
  int right() {
    return RIGHT.getOrDefault(name(), route.status());
  }

  /** Whether its path or its body names something that is there. */
  boolean names() {
    return !route.path().variables().isEmpty() || bodyTemplate().contains("$");
  }

  /** The path with these ids; those that are not known are made up. */
  String path(Map<String, String> ids) {
    return route.path().segments().stream()
        .map(segment -> segment.variable() ? id(ids, segment.text()) : segment.text())
        .collect(Collectors.joining("/", "/", ""));
  }

  /** Whether all that its path names is known. */
  boolean known(Map<String, String> ids) {
    return ids.keySet().containsAll(route.path().variables());
  }

  /** The names of the ids that its path and its body have. */
  Set<String> named() {
    Set<String> names = new HashSet<>();
    route.path().variables().forEach(variable -> names.add(key(variable)));
    Matcher inBody = NAME.matcher(bodyTemplate());
    while (inBody.find()) {
      names.add(inBody.group(1));
    }
    return names;
  }

  private String id(Map<String, String> ids, String variable) {
    return ids.getOrDefault(key(variable), "unknown_of_" + variable);
  }

  private String key(String variable) {
    boolean ofWebhook =
        variable.equals("delivery_id") && route.path().variables().contains("webhook_id");
    String prefix = name().equals("UploadArtifactContent") ? "empty_" : ofWebhook ? "webhook_" : "";
    return prefix + variable;
  }

  String body(Map<String, String> ids) {
    String body =
        bodyTemplate().replace(NEW_NAME, UUID.randomUUID().toString()).replace(NEW_KEYS, newKeys());
    for (Map.Entry<String, String> id : ids.entrySet()) {
      body = body.replace("$" + id.getKey(), id.getValue());
    }
    return body;
  }

  private static String newKeys() {
    ObjectNode keys = DeviceKeys.create(new SecureRandom()).publicHalves();
    return String.format(
        "\"signer_key_id\":%s,\"signing_key\":%s,\"agreement_key\":%s",
        keys.get("signerKeyId"), keys.get("signingKey"), keys.get("agreementKey"));
  }

  private String bodyTemplate() {
    if (BODIES.containsKey(name())) {
      return BODIES.get(name());
    }
    if (route.rule().getDelivery() == Delivery.DELIVERY_UPLOAD) {
      return "bytes";
    }
    return route.hasBody() ? object(route.request().getDescriptorForType().getFields()) : "";
  }

  /** The members that must be there. */
  private String object(List<FieldDescriptor> fields) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (FieldDescriptor field : fields) {
      if (!route.path().variables().contains(field.getName())
          && field.getOptions().getExtension(ValidateProto.field).getRequired()) {
        json.put(field.getName(), "$" + field.getName());
      }
    }
    return json.toString();
  }

  /** The query parameters that name something. */
  List<String> references(Map<String, String> ids) {
    return route.hasBody()
        ? List.of()
        : route.request().getDescriptorForType().getFields().stream()
            .filter(field -> !field.getOptions().getExtension(Options.field).getHidden())
            .map(FieldDescriptor::getName)
            .filter(ids::containsKey)
            .filter(name -> !route.path().variables().contains(name))
            .toList();
  }
}
