package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows a skill with its manifest and its text. */
@Command(
    name = "show",
    description = "Show a skill with its manifest and its text.",
    footer = {"%nExample:", "  bridle skill show skill_01J9"})
final class ShowSkillCommand implements Runnable {
  private static final Column[] SKILL = Column.of("name", "description");

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(paramLabel = "SKILL", description = "The skill's id.")
  private String id = "";

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    JsonNode skill = server.connect().get("/v1/skills/" + RestClient.escape(id));
    shown.one(skill, out, SKILL);
    if (!shown.isJson()) {
      skill
          .path("manifest")
          .properties()
          .forEach(
              member ->
                  out.println(
                      ShownText.line("manifest " + member.getKey() + ": " + member.getValue())));
      ShownText.lines(skill.path("body").asText("")).forEach(out::println);
      out.flush();
    }
  }
}
