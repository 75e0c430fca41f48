package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.Rows;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.permission.RequirementText;
import dev.bridle.cli.permission.ShownAction;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows all details of a permission request that a reviewer needs. */
@Command(
    name = "show",
    description =
        "Show a permission request: its exact content, the possible answers, and who answered.",
    footer = {"%nExample:", "  bridle permission show permission_01J9"})
final class ShowRequestCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(paramLabel = "REQUEST", description = "The permission request's id.")
  private String id = "";

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    JsonNode request = server.connect().get("/v1/permission-requests/" + RestClient.escape(id));
    if (shown.isJson()) {
      shown.one(request, out, PermissionOverrides.REQUEST);
      return;
    }
    StringWriter text = new StringWriter();
    PrintWriter lines = new PrintWriter(text);
    shown.one(request, lines, PermissionOverrides.REQUEST);
    printDetails(request, lines);
    // Broken by the terminal, a line of the agent's could go on as one of ours.
    Rows rows = Rows.of(out);
    text.toString().lines().flatMap(line -> rows.of("", line).stream()).forEach(out::println);
    out.flush();
  }

  private static void printDetails(JsonNode request, PrintWriter out) {
    ShownText.lines(request.at("/request/prompt").asText()).forEach(out::println);
    String notExact = text(request, "/action/not_exact");
    if (!notExact.isEmpty()) {
      out.println("not known exactly: " + notExact);
    }
    String replaces = text(request, "/request/replaces");
    if (!replaces.isEmpty()) {
      out.println("in place of " + replaces + ", which the agent has changed");
    }
    ShownAction.said(request).forEach(out::println);
    out.println("content: " + ShownText.line(request.at("/action/content").toString()));
    for (JsonNode file : request.at("/action/edited_files")) {
      out.println("writes: " + ShownText.line(file.asText()));
    }
    String modifiable = text(request, "/request/arguments_member");
    if (!modifiable.isEmpty()) {
      out.println("an answer may replace: " + modifiable);
    }
    out.println("content hash: " + text(request, "/request/content_hash"));
    for (JsonNode option : request.at("/request/options")) {
      out.printf(
          "option %s: %s (%s)%n",
          text(option, "/id"), text(option, "/name"), text(option, "/kind"));
    }
    for (JsonNode grant : request.at("/request/offered_grants")) {
      out.println("grant " + text(grant, "/id") + ": " + text(grant, "/covers"));
    }
    JsonNode approvers = request.at("/request/approvers");
    out.println(
        "approvers: "
            + request.at("/request/approvers_required")
            + " of "
            + (approvers.isEmpty()
                ? "anyone who may answer"
                : ShownText.line(approvers.toString())));
    JsonNode policy = request.at("/request/policy");
    if (policy.isObject()) {
      RequirementText.lines(policy).forEach(line -> out.println("policy " + line));
    }
    String repeats = text(request, "/request/repeats/reason");
    if (!repeats.isEmpty()) {
      out.println("repeated: " + repeats);
    }
    String voided = text(request, "/response/voided/reason");
    if (!voided.isEmpty()) {
      out.println("void: " + voided + " at " + text(request, "/response/voided/voided_at"));
    }
    for (JsonNode answer : request.at("/response/answers")) {
      out.println(
          (answer.path("approved").asBoolean() ? "approved by " : "denied by ")
              + text(answer, "/actor")
              + asRoles(answer.path("roles"))
              + by(text(answer, "/channel"))
              + " at "
              + text(answer, "/answered_at")
              + "  "
              + text(answer, "/reason"));
      String device = text(answer, "/evidence/approval_device_id");
      out.println(
          device.isEmpty()
              ? "  attested by the server alone"
              : "  signed by the device " + device + ", as bridle receipt evidence proves");
      String option = text(answer, "/option_id");
      if (!option.isEmpty()) {
        out.println("  with the option " + option);
      }
      String grant = text(answer, "/grant");
      if (!grant.isEmpty()) {
        String until = text(answer, "/grant_until");
        out.println("  with the grant " + grant + (until.isEmpty() ? "" : " until " + until));
      }
      if (answer.path("arguments").isObject()) {
        out.println(
            "  with other arguments: " + ShownText.line(answer.get("arguments").toString()));
      }
    }
  }

  private static String asRoles(JsonNode roles) {
    List<String> names = new ArrayList<>();
    roles.forEach(role -> names.add(ShownText.line(role.asText())));
    return names.isEmpty() ? "" : " as " + String.join(", ", names);
  }

  private static String by(String channel) {
    return channel.isEmpty() ? "" : " by " + channel;
  }

  private static String text(JsonNode resource, String pointer) {
    return ShownText.line(PermissionOverrides.text(resource, pointer));
  }
}
