package dev.bridle.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class ResourceCommandsTest {
  private static final CommandLine TASKS =
      new CommandLine(
          ResourceCommands.group("task", "Manage tasks.", List.of("bridle.task.v1.TaskService")));

  @Test
  void aServiceAloneGivesCommandsWithHelpAndAnExample() {
    assertThat(TASKS.getSubcommands()).containsKeys("list", "create", "get", "cancel");
    assertThat(usage(TASKS, "get"))
        .contains("Show a task.", "The task's id.", "task get ID --json");
    assertThat(usage(TASKS, "cancel")).contains("Cancel a task.");
  }

  @Test
  void theHelpOfAnOptionIsTheCommentOfItsField() {
    CommandLine skills =
        new CommandLine(
            ResourceCommands.group(
                "skill", "Manage skills.", List.of("bridle.skill.v1.SkillService")));

    assertThat(usage(skills, "create"))
        .contains("--input-schema=JSON", "JSON Schema", "Can be repeated.")
        .doesNotContain("published", "`");
  }

  @Test
  void anOptionThatEveryCommandHasIsNamedForTheResource() {
    CommandLine skills =
        new CommandLine(
            ResourceCommands.group(
                "skill", "Manage skills.", List.of("bridle.skill.v1.SkillService")));

    assertThat(usage(skills, "create")).contains("--skill-version=TEXT");
  }

  @Test
  void aGroupAloneHasNoCommands() {
    assertThat(ResourceCommands.group("skill", "Manage skills.").subcommands()).isEmpty();
  }

  private static String usage(CommandLine group, String command) {
    return group.getSubcommands().get(command).getUsageMessage();
  }
}
