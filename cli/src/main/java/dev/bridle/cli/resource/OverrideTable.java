package dev.bridle.cli.resource;

import dev.bridle.cli.receipt.EvidenceCommand;
import dev.bridle.cli.receipt.ExportReceiptsCommand;
import dev.bridle.cli.receipt.ReceiptKeysCommand;
import dev.bridle.cli.receipt.VerifyCommand;

/** What is special about the commands of each resource; a plain resource has no entry. */
final class OverrideTable {
  private OverrideTable() {}

  static Overrides of(String resource) {
    return switch (resource) {
      case "session" -> session();
      case "branch" ->
          new Overrides()
              .columns("", "kind", "base_ref", "created_at")
              .help("--base-ref", "The reference that the branch starts from.")
              .example("create", "session_01J9 --kind session --base-ref main");
      case "persona" ->
          new Overrides()
              .columns("", "name", "version", "autonomy_tier", "receipt_policy")
              .option("version", "--contract-version")
              .example(
                  "create",
                  """
                  --name Reviewer --contract-version 1 --entry-workflow review.harn \\
                    --description 'Reviews changes' --autonomy-tier suggest \\
                    --receipt-policy optional""");
      case "skill" ->
          new Overrides()
              .columns("", "name", "description")
              .option("body", "--body-file", Syntax.WHOLE_FILE, "The file with the text.")
              .option(
                  "manifest",
                  "--manifest-file",
                  Syntax.OBJECT_FILE,
                  "The file with a JSON object of what agents read beside the text, such as"
                      + " when_to_use and allowed_tools.")
              .add("show", new ShowSkillCommand())
              .example(
                  "create", "--name count_words --description 'Counts words' --body-file SKILL.md");
      case "quota" ->
          new Overrides()
              .columns("", "scope", "limits", "usage")
              .help("--limit", "A limit, such as tasks=100; can be repeated.")
              .example("create", "--scope workspace --limit tasks=100 --limit concurrency=4");
      case "memory" -> memory();
      case "vault" -> vault();
      case "connector" -> ConnectorOverrides.create();
      case "webhook" -> webhook();
      case "schedule" -> schedule();
      case "workspace" -> workspace();
      case "permission" -> PermissionOverrides.ofRequests();
      case "grant" -> PermissionOverrides.ofGrants();
      case "policy" -> PolicyOverrides.ofRules();
      case "approval-role" ->
          new Overrides()
              .columns("", "name", "actors")
              .help("--actor", "An actor that has the role; can be repeated.")
              .example("create", "--name sre --actor ada --actor bob");
      case "approval-device" ->
          new Overrides()
              .columns("", "principal", "approver_id", "signer_key_id", "revoked_at")
              .example(
                  "create",
                  "--principal ada --approver-id ada-phone --signer-key-id KID"
                      + " --signing-key KEY --agreement-key KEY")
              .example("revoke", "approval_device_06h1… --reason lost");
      case "harp-repo" ->
          new Overrides()
              .columns("", "repo_ref", "workspace_id", "session_id", "persona_id")
              .example(
                  "create",
                  "--workspace default --repo-ref repo:acme/widgets --session session_06h1…")
              .example("delete", "harp_repo_06h1…");
      case "receipt" -> receipt();
      case "redaction" ->
          new Overrides()
              .columns("", "created_at", "requested_by", "status", "resources", "completed_at")
              .command("list", "List redactions, newest first.", "--limit 20")
              .without("create");
      default -> new Overrides();
    };
  }

  private static Overrides receipt() {
    return new Overrides()
        .columns("", "issued_at", "task_id", "summary")
        .command("list", "List receipts, oldest first.", "--session session_01J9")
        .names("verify", "recheck")
        .columns("recheck", "valid", "reason")
        .command(
            "recheck",
            "Have the server verify a stored receipt; 'verify' does it without a server.",
            "receipt_01J9")
        .help("--trust-anchor", "The id of a key of the server, or a JWK set as JSON.")
        .help("--at-time", "The time as of which the receipt is judged.")
        .without("inclusion-proof", "create")
        .add("verify", new VerifyCommand())
        .add("export", new ExportReceiptsCommand())
        .add("keys", new ReceiptKeysCommand())
        .add("evidence", new EvidenceCommand());
  }

  private static Overrides session() {
    return new Overrides()
        .columns("", "workspace_id", "state", "created_at", "persona_id")
        .example("create", "--workspace default --vault vault_01J9")
        .command(
            "close",
            "Close a session: it rejects new tasks and messages, and running tasks complete.",
            "session_01J9")
        .command(
            "fork",
            "Create a session that starts with a copy of this session's messages.",
            "session_01J9 --at event_01J9")
        .option("at_event_id", "--at", "Copy messages up to this event (default: all messages).")
        .command(
            "truncate",
            "Remove the later part of a session's transcript; its events stay.",
            "session_01J9 --keep-first 3")
        .columns("truncate", "session_id", "kept_turn_count", "removed_turn_count")
        .help("--keep-first", "The number of turns to keep, counted from the first.")
        .help("--reason", "The reason, which the event includes.")
        .command("message", "List and add messages of a session.", "list session_01J9")
        .columns("message", "created_at", "role", "parts")
        .command("message list", "List a session's messages, oldest first.", "session_01J9")
        .names("message create", "add")
        .command(
            "message add",
            "Add a message to a session, outside any task.",
            "session_01J9 --text 'one more thing'")
        .option("message.role", "--role")
        .byDefault("message add", "message.role", "\"user\"")
        .option("message.parts", "--text", Syntax.PARTS, "The text of the message.");
  }

  private static Overrides memory() {
    return new Overrides()
        .columns("", "scope", "owner_id", "content")
        .example("create", "--scope workspace --owner default --text 'Reviews end on Friday'")
        .help("--scope", "The scope: persona, session, workspace or tenant.")
        .help("--owner", "The owner's id; for a tenant, its name.")
        .option("content", "--text", Syntax.TEXT, "The text of the memory.")
        .option(
            "content",
            "--json-content",
            Syntax.OBJECT,
            "The content as a JSON object, instead of text.")
        .exactlyOne("create", "--text", "--json-content")
        .help("--provenance", "The provenance, as a JSON object (default: the command line).")
        .byDefault("create", "provenance", "{\"source\":\"bridle memory create\"}")
        .without("visibility", "redaction_policy");
  }

  private static Overrides vault() {
    String value = "The file with the value (default: stdin). One trailing line break is removed.";
    return new Overrides()
        .columns("", "workspace_id", "provider", "capabilities")
        .example("create", "--workspace default")
        .help(
            "--capability",
            "How its secrets may be used: read, by agents; write, by people; connect, by"
                + " connectors and webhooks. Can be repeated (default: read and write).")
        .byDefault("create", "provider", "\"bridle\"")
        .byDefault("create", "capabilities", "[\"read\",\"write\"]")
        .command(
            "secret", "Set, rotate, list and delete the secrets of a vault.", "list vault_01J9")
        .columns("secret", "name", "version", "version_created_at")
        .command("secret list", "List the secrets of a vault by name.", "vault_01J9")
        .byDefault("secret list", "limit", "100")
        .option("value", "--value-file", Syntax.TEXT_FILE, value)
        .command(
            "secret set",
            "Create a secret in a vault, or replace its value.",
            "vault_01J9 github --value-file token.txt")
        .command(
            "secret rotate",
            "Replace the value of an existing secret.",
            "vault_01J9 github --value-file token.txt")
        .command("secret delete", "Delete a secret permanently.", "vault_01J9 github");
  }

  private static Overrides webhook() {
    return new Overrides()
        .columns("", "workspace_id", "status", "preset", "url")
        .example(
            "create",
            """
            --workspace default --to https://ntfy.sh/bridle-k3f9q2 \\
              --preset ntfy --task-status INPUT_REQUIRED --task-status AUTH_REQUIRED""")
        .option("url", "--to", "The URL that events are posted to.")
        .help("--preset", "The format of the body: generic, ntfy or slack (default: generic).")
        .help("--secret", "The vault secret that signs each delivery attempt.")
        .help("--event-kind", "An event kind to send; can be repeated (default: all).")
        .help("--retry", "How long a delivery is retried, at most 30d (default: 1d).")
        .command("test", "Send a test event to a webhook.", "webhook_01J9")
        .columns("test", "status", "event_kind")
        .command(
            "delivery",
            "List deliveries of a webhook, and redeliver or drop failed ones.",
            "list webhook_01J9 --status failed")
        .columns("delivery", "created_at", "status", "event_kind", "task_id", "failures")
        .command(
            "delivery list",
            "List deliveries, newest first. Failed deliveries are dead letters.",
            "ID --status failed")
        .command("delivery redeliver", "Retry a failed delivery.", "ID DELIVERY")
        .command("delivery drop", "Drop a failed delivery.", "ID DELIVERY");
  }

  private static Overrides schedule() {
    return new Overrides()
        .columns("", "status", "next_run_at", "text")
        .example(
            "create",
            """
            --workspace default --cron '0 9 * * 1-5' \\
              --time-zone Europe/Berlin --text 'Sum up what happened yesterday'""")
        .help(
            "--cron",
            "The recurring schedule, as cron fields: "
                + "minute, hour, day of month, month, day of week.")
        .help("--at", "The time of a single run, such as 2027-01-31T09:00:00Z.")
        .help("--time-zone", "The time zone of --cron (default: UTC).")
        .exactlyOne("create", "--cron", "--at")
        .help(
            "--missed",
            "How to handle runs that were missed while no server ran: "
                + "skip, or once, which submits one task for all of them (default: skip).")
        .help("--session", "The session of its tasks (default: a new one for each).")
        .command("delete", "Delete a schedule permanently. Tasks that it created stay.", "ID");
  }

  private static Overrides workspace() {
    return new Overrides()
        .columns("", "name", "root")
        .example("create", "--name Shop --root folder:shop")
        .help(
            "--root",
            "Where its files are stored, for its agents; folder:NAME is a folder of the "
                + "server's machine, inside the server's --workspace-root.")
        .without("image", "packages", "network_policy", "sandbox_backend", "file")
        .add("files", new WorkspaceFilesCommand());
  }
}
