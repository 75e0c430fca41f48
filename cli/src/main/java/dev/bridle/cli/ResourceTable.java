package dev.bridle.cli;

import java.util.List;
import java.util.Optional;

/**
 * The resources whose commands follow from services of the contract. A resource has commands once
 * it has a row here.
 */
final class ResourceTable {
  private static final List<Row> ROWS =
      List.of(
          new Row(
              "session",
              "Manage sessions.",
              "bridle.session.v1.SessionService",
              "bridle.message.v1.MessageService"),
          new Row("branch", "Manage branches of sessions.", "bridle.branch.v1.BranchService"),
          new Row(
              "persona",
              "Manage personas, the roles that tasks run as.",
              "bridle.persona.v1.PersonaService"),
          new Row("skill", "Manage skills that sessions refer to.", "bridle.skill.v1.SkillService"),
          new Row(
              "quota",
              "Manage quotas that personas and workspaces refer to.",
              "bridle.quota.v1.QuotaService"),
          new Row(
              "memory",
              "Manage memories of personas, sessions, workspaces and the tenant.",
              "bridle.memory.v1.MemoryService"),
          new Row("vault", "Manage vaults and their secrets.", "bridle.vault.v1.VaultService"),
          new Row(
              "connector",
              "Manage connectors that turn webhooks and polled items into tasks.",
              "bridle.connector.v1.ConnectorService",
              "bridle.connector.v1.DeliveryService"),
          new Row(
              "webhook",
              "Manage webhooks that deliver events to other systems.",
              "bridle.webhook.v1.WebhookService"),
          new Row(
              "schedule",
              "Manage schedules that submit tasks.",
              "bridle.schedule.v1.ScheduleService"),
          new Row(
              "workspace",
              "Manage workspaces and their files.",
              "bridle.workspace.v1.WorkspaceService"),
          new Row(
              "tool",
              "List and show the tools that the server exposes.",
              "bridle.tool.v1.ToolService"),
          new Row(
              "permission",
              "List and answer permission requests of agents.",
              "bridle.permission.v1.PermissionService"),
          new Row(
              "grant",
              "List and revoke standing grants, which allow actions without a permission request.",
              "bridle.permission.v1.PermissionService"),
          new Row(
              "policy",
              "Manage approval rules, and explain what they decide.",
              "bridle.permission.v1.ApprovalRuleService"),
          new Row(
              "approval-role",
              "Manage the roles of approvers, which approval rules name.",
              "bridle.permission.v1.ApprovalRoleService"),
          new Row(
              "approval-device",
              "Manage the devices whose signed decisions answer permission requests.",
              "bridle.permission.v1.ApprovalDeviceService"),
          new Row(
              "harp-repo",
              "Manage the repositories that prompts of HARP name, each mapped to a workspace.",
              "bridle.relay.v1.HarpRepoService"),
          new Row(
              "receipt",
              "List, verify and export receipts, the signed records of what tasks did.",
              "bridle.receipt.v1.ReceiptService"),
          new Row(
              "redaction",
              "List and show redactions; 'bridle redact' makes them.",
              "bridle.redaction.v1.RedactionService"));

  private ResourceTable() {}

  /**
   * A resource.
   *
   * @param name its name, and that of its group of commands
   * @param summary the description of the group
   * @param services the services with operations on its collection
   */
  record Row(String name, String summary, List<String> services) {
    private Row(String name, String summary, String... services) {
      this(name, summary, List.of(services));
    }
  }

  /** Returns the names of the resources, in the order in which the help lists them. */
  static List<String> names() {
    return ROWS.stream().map(Row::name).toList();
  }

  /** Returns the row of a resource. */
  static Optional<Row> find(String name) {
    return ROWS.stream().filter(row -> row.name().equals(name)).findFirst();
  }
}
