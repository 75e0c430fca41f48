package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The group of commands about schedules. */
@Command(
    name = "schedule",
    description = "Manage schedules that submit tasks.",
    subcommands = {
      GetResourceCommand.class,
      ListInWorkspaceCommand.class,
      UpdateResourceCommand.class,
      PauseResourceCommand.class,
      ResumeResourceCommand.class,
      DeleteResourceCommand.class
    },
    footer = {"%nExample:", "  bridle schedule list"})
public final class ScheduleCommand extends ResourceGroup {
  /** Creates the command; called by picocli. */
  public ScheduleCommand() {
    super("/v1/schedules", "status", "next_run_at", "text");
  }

  @Command(
      name = "create",
      description = "Create a schedule.",
      footer = {
        "%nExample:",
        "  bridle schedule create --workspace default --cron '0 9 * * 1-5' \\",
        "    --time-zone Europe/Berlin --text 'Sum up what happened yesterday'"
      })
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              required = true,
              description = "The workspace of the schedule.")
          String workspace,
      @Option(
              names = "--cron",
              paramLabel = "FIELDS",
              description = {
                "The recurring schedule, as cron fields:",
                "minute, hour, day of month, month, day of week."
              })
          Optional<String> cron,
      @Option(
              names = "--at",
              paramLabel = "TIME",
              description = "The time of a single run, such as 2027-01-31T09:00:00Z.")
          Optional<String> at,
      @Option(
              names = "--time-zone",
              paramLabel = "NAME",
              description = "The time zone of --cron (default: UTC).")
          Optional<String> zone,
      @Option(
              names = "--missed",
              paramLabel = "WHAT",
              description = {
                "How to handle runs that were missed while no server ran:",
                "skip, or once, which submits one task for all of them (default: skip)."
              })
          Optional<String> missed,
      @Option(
              names = "--text",
              paramLabel = "TEXT",
              required = true,
              description = "The text of its tasks.")
          String text,
      @Option(names = "--persona", paramLabel = "ID", description = "The persona of its tasks.")
          Optional<String> persona,
      @Option(
              names = "--session",
              paramLabel = "ID",
              description = "The session of its tasks (default: a new one for each).")
          Optional<String> session,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Additional members, as a JSON object.")
          Optional<String> members) {
    if (cron.isPresent() == at.isPresent()) {
      throw new ParameterException(
          spec().commandLine(), "Expected exactly one of --cron and --at.");
    }
    ObjectNode body = Shown.object(members, "--set");
    body.put("workspace_id", workspace).put("text", text);
    cron.ifPresent(fields -> body.put("cron", fields));
    at.ifPresent(time -> body.put("at", time));
    zone.ifPresent(name -> body.put("time_zone", name));
    missed.ifPresent(what -> body.put("missed", what));
    persona.ifPresent(id -> body.put("target_persona_id", id));
    session.ifPresent(id -> body.put("target_session_id", id));
    create(server, shown, body);
  }
}
