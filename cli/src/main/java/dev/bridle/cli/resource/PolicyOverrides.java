package dev.bridle.cli.resource;

/** What is special about the commands of approval rules. */
final class PolicyOverrides {
  private PolicyOverrides() {}

  static Overrides ofRules() {
    return new Overrides()
        .collection("approval-rules")
        .columns("", "name", "approvers", "kinds", "commands", "invocations", "paths", "disabled")
        .command(
            "create",
            "Create an approval rule. An action that all of its members match is approved by people,"
                + " whatever the persona's tier; rules never lessen each other.",
            """
            --name production --command 'kubectl*delete' \\
              --approvers 2 --role '{"role":"sre","count":1}' --answer-within 600""")
        .command("get", "Show an approval rule.", "approval_rule_01J9")
        .command(
            "update",
            "Change the given members of an approval rule; lists are replaced as a whole.",
            "approval_rule_01J9 --disabled")
        .help(
            "--kind",
            "A kind of action, as agents name it or as its content shows, such as command or edit; can"
                + " be repeated.")
        .help("--tool", "A tool, by any of its names; can be repeated.")
        .help(
            "--path",
            "A pattern of files: * is any part of a name, ** any folders; without a leading / it"
                + " matches at any depth. Can be repeated.")
        .help(
            "--command",
            "A pattern of commands, which matches any part of one: * is any text. Can be repeated.")
        .help(
            "--invocation",
            "A program with its subcommand, such as 'git push', which matches whatever options stand"
                + " between them. Can be repeated.")
        .help("--except-command", "A whole command that the rule does not match; can be repeated.")
        .help("--approvers", "The number of approvals, of as many actors (default: 1).")
        .help(
            "--role",
            "A role, and how many of its members must be among those who approve, as a JSON object;"
                + " can be repeated.")
        .help(
            "--may-grant",
            "A scope of standing grants that an answer may choose: action, tool, session,"
                + " action_until, workspace or edits; can be repeated (default: none).")
        .help("--[no-]disabled", "Whether it matches nothing for now.")
        .add("explain", new ExplainPolicyCommand());
  }
}
