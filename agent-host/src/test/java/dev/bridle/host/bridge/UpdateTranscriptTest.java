package dev.bridle.host.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.host.acp.Diary;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the listener of a session gets of the updates in {@code fixtures/bridge}. */
@Timeout(180)
final class UpdateTranscriptTest {
  private final Diary diary = new Diary();

  private PlayedTurn play(String name) throws Exception {
    return PlayedTurn.of(name, diary, new Notes(), () -> "as at first");
  }

  @Test
  void updatesOfHarnAndOfOthersAreKeptAsTheyWereSpelled() throws Exception {
    try (PlayedTurn turn = play("updates")) {
      turn.over();
      assertThat(diary.lines.stream().filter(line -> line.startsWith("other ")))
          .extracting(line -> line.substring(6, line.indexOf(' ', 6)))
          .containsExactly(
              "worker_update",
              "handoff",
              "transcript_compacted",
              "skill_activated",
              "skill_scope_tools",
              "skill_deactivated",
              "tool_search_query",
              "tool_search_result",
              "fs_watch",
              "progress",
              "log",
              "acme_variant");
      assertThat(diary.lines.get(0)).contains("\"childRunPath\":\".harn-runs/child.json\"");
      assertThat(diary.lines).contains("tool c1 'Run' execute failed changed");
    }
  }

  @Test
  void updatesOfAcpAreReadByTheirVariant() throws Exception {
    try (PlayedTurn turn = play("standard-updates")) {
      turn.over();
      assertThat(diary.lines)
          .containsExactly(
              "USER @0 hi",
              "THOUGHT @0 A question?",
              "plan [{\"content\":\"read\",\"priority\":\"high\",\"status\":\"in_progress\"},"
                  + "{\"content\":\"write\",\"priority\":\"low\",\"status\":\"pending\"}]",
              "THOUGHT @11  No.",
              "commands [{\"name\":\"review\",\"description\":\"Reviews the change\","
                  + "\"input\":{\"hint\":\"what\"}}]",
              "mode plan",
              "AGENT @0 Hello",
              "plan []",
              "commands []",
              "mode code",
              "USER  {\"type\":\"resource_link\",\"uri\":\"file:///work/a\",\"name\":\"a\"}",
              "THOUGHT  {\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":\"image/png\"}",
              "other agent_thought_chunk {\"sessionUpdate\":\"agent_thought_chunk\"}");
    }
  }

  @Test
  void theOptionsOfASessionAreWholeInEachUpdateAndWhatIsNoListIsKept() throws Exception {
    try (PlayedTurn turn = play("config-options")) {
      turn.over();
      List<String> sent = sent("config-options", "config_option_update");
      assertThat(sent).hasSize(7);
      assertThat(diary.lines)
          .containsExactly(
              options(sent.get(0)),
              options(sent.get(1)),
              "AGENT @0 With the",
              "AGENT @8  large",
              options(sent.get(2)),
              "AGENT @14  model.",
              "options []",
              "other config_option_update " + sent.get(4),
              "other config_option_update " + sent.get(5),
              "other config_option_update " + sent.get(6));
    }
  }

  private static String options(String update) {
    String before = "{\"sessionUpdate\":\"config_option_update\",\"configOptions\":";
    return "options " + update.substring(before.length(), update.length() - 1);
  }

  @Test
  void theUsageOfASessionIsReadWithItsCostAndWhatIsNoFigureIsKept() throws Exception {
    try (PlayedTurn turn = play("usage")) {
      turn.over();
      List<String> sent = sent("usage", "usage_update");
      assertThat(diary.lines)
          .containsExactly(
              "usage 1200 of 200000 free",
              "usage 5300 of 200000 0.25 USD",
              "usage 5300 of 200000 free",
              "usage 800 of 200000 1 USD",
              "usage 0 of 0 free",
              "usage 900 of 200000 free",
              "usage 900 of 200000 free",
              "other usage_update " + sent.get(7),
              "other usage_update " + sent.get(8),
              "other usage_update " + sent.get(9),
              "other usage_update " + sent.get(10));
    }
  }

  /**
   * Returns the updates of a variant that the runtime of a transcript sends, as they are spelled.
   */
  private static List<String> sent(String name, String variant) throws IOException {
    String before = "< {\"method\":\"session/update\",\"params\":{\"sessionId\":\"s1\",\"update\":";
    return Files.readAllLines(PlayedTurn.FILES.resolve(name + ".txt")).stream()
        .filter(line -> line.startsWith(before + "{\"sessionUpdate\":\"" + variant + "\""))
        .map(line -> line.substring(before.length(), line.length() - 2))
        .toList();
  }

  @Test
  void eachStageOfAWorkerIsKeptAsItWasSpelled() throws Exception {
    try (PlayedTurn turn = play("workers")) {
      turn.over();
      List<String> sent =
          sent("workers", "worker_update").stream()
              .map(update -> "other worker_update " + update)
              .toList();
      assertThat(sent).hasSize(12);
      assertThat(diary.lines).containsExactlyElementsOf(sent);
    }
  }
}
