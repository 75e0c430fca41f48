package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.host.acp.SessionUpdate.Voice;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.bridge.SkillManifest;
import dev.bridle.host.bridge.Skills;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.worker.TaskContext;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The steps that reports of an agent make. */
final class TaskReportsTest {
  private final List<String> keys = new ArrayList<>();
  private final List<String> events = new ArrayList<>();

  private final TaskContext task =
      (TaskContext)
          Proxy.newProxyInstance(
              TaskReportsTest.class.getClassLoader(),
              new Class<?>[] {TaskContext.class},
              (self, method, arguments) -> {
                keys.add((String) arguments[0]);
                events.add(arguments[1] + " " + arguments[2]);
                return null;
              });

  private TaskReports reports(Skills skills, String run) {
    return new TaskReports(
        task,
        new AllowedActions(task),
        new SessionCost(),
        new SkillIds(skills),
        new ServedCalls(),
        run);
  }

  @Test
  void eachPieceOfALongAnswerIsAStepThatALaterRunDoesNotRead() {
    TaskReports reports = reports(Skills.none(), "run1");

    for (int i = 0; i < 10_000; i++) {
      reports.add(new SessionUpdate.Text(Voice.AGENT, "m", i, "x"));
      reports.add(new SessionUpdate.Text(Voice.THOUGHT, "t", i, "y"));
    }

    assertThat(keys).hasSize(20_000).allMatch(key -> key.startsWith(TaskReports.EVENT_KEYS));
    assertThat(new HashSet<>(keys)).hasSameSizeAs(keys);
    assertThat(keys).allMatch(key -> key.contains(":run1:"));
  }

  @Test
  void anAnswerInOneLongPieceIsCutToWhatATasksResultMayHave() {
    TaskReports reports = reports(Skills.none(), "r");

    reports.add(new SessionUpdate.Text(Voice.AGENT, "m", 0, "x".repeat(100_000)));

    assertThat(reports.summary()).isEqualTo("x".repeat(60_000));
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static void report(TaskReports reports, String variant, String update) {
    reports.add(new SessionUpdate.Other(variant, RawJson.of(json(update))));
  }

  @Test
  void theChildOfAHandOverIsNamedAlikeHoweverTheRuntimeSpellsIt() throws Exception {
    TaskReports reports = reports(Skills.none(), "r");
    String before = "< {\"method\":\"session/update\",\"params\":{\"sessionId\":\"s1\",\"update\":";
    Files.readAllLines(Path.of("../fixtures/bridge/workers.txt")).stream()
        .filter(line -> line.startsWith(before))
        .map(line -> line.substring(before.length(), line.length() - 2))
        .forEach(update -> report(reports, "worker_update", update));
    report(
        reports,
        "handoff",
        "{\"sessionUpdate\":\"handoff\",\"target\":\"reviewer\",\"summary\":\"look\"}");

    assertThat(events).hasSize(13).allMatch(event -> event.startsWith("agent.handoff {"));
    List<JsonNode> children =
        events.stream()
            .map(event -> json(event.substring(event.indexOf('{'))).path("child"))
            .toList();
    assertThat(children.subList(0, 11))
        .allSatisfy(
            child -> {
              String number = child.path("worker_id").textValue().substring(1);
              assertThat(child.path("run_id").textValue()).isEqualTo("run_" + number);
              assertThat(child.path("run_path").textValue())
                  .isEqualTo(".harn-runs/run_" + number + ".json");
              assertThat(child.path("snapshot_path").textValue())
                  .isEqualTo(".harn/workers/w" + number + ".json");
              assertThat(child.path("parent_session_id").textValue()).isEqualTo("s1");
              assertThat(child.path("started_at").textValue()).isEqualTo("2026-01-02T03:04:05Z");
              assertThat(child.path("task").textValue()).isEqualTo("Review");
            });
    assertThat(children.get(11))
        .isEqualTo(json("{\"stage\":\"WorkerMoved\",\"status\":\"moved\",\"worker_id\":\"w7\"}"));
    assertThat(children.get(12))
        .isEqualTo(json("{\"task\":\"look\",\"worker_name\":\"reviewer\"}"));
  }

  @Test
  void aSkillThatTheRegistryHasIsNamedByItsId() {
    Skills skills =
        new Skills() {
          @Override
          public List<SkillManifest> list() {
            return List.of(
                new SkillManifest(
                    "skill_1", "deploy", "", "", JsonNodeFactory.instance.objectNode()));
          }

          @Override
          public Optional<SkillManifest> fetch(String id) {
            return Optional.empty();
          }

          @Override
          public Optional<String> state() {
            return Optional.empty();
          }
        };
    TaskReports reports = reports(skills, "r");

    report(reports, "skill_activated", "{\"skillName\":\"deploy\",\"iteration\":1}");
    report(reports, "skill_deactivated", "{\"skillName\":\"of the runtime's own\"}");
    report(reports, "skill_activated", "{\"_meta\":{\"harn\":{\"skillName\":\"deploy\"}}}");

    assertThat(events.get(0)).contains("\"skill_name\":\"deploy\",\"skill_id\":\"skill_1\"");
    assertThat(events.get(1))
        .contains("\"skill_name\":\"of the runtime's own\"")
        .doesNotContain("skill_id");
    assertThat(events.get(2)).contains("\"skill_name\":\"deploy\",\"skill_id\":\"skill_1\"");
  }

  private static SessionUpdate.Tool tool(String members, boolean first, boolean changed) {
    Map<String, RawJson> all = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : json(members.replace('\'', '"')).properties()) {
      all.put(member.getKey(), RawJson.of(member.getValue()));
    }
    return new SessionUpdate.Tool(new ToolCall("c1", all), first, changed);
  }

  @Test
  void theEventsOfAToolCallHaveItsInputAndOutput() {
    TaskReports reports = reports(Skills.none(), "r");
    String call = "'kind':'execute','rawInput':{'command':'make'}";
    String text = "'content':[{'type':'content','content':{'type':'text','text':'%s'}}]";

    reports.add(tool("{'status':'pending'," + call + "}", true, true));
    String done = "{'status':'completed'," + call + "," + text + "}";
    reports.add(tool(done.formatted("built"), false, true));
    reports.add(tool(done.formatted("built"), false, false));
    reports.add(tool(done.formatted("built at last"), false, false));

    assertThat(events).hasSize(3);
    assertThat(events.get(0)).startsWith("agent.tool_use").contains("\"command\":\"make\"");
    assertThat(events.get(1))
        .startsWith("agent.tool_result")
        .contains("\"output\":[{\"type\":\"text\",\"text\":\"built\"}]");
    assertThat(events.get(2))
        .isEqualTo(
            "vendor.agent_host.tool_output {\"tool_call_id\":\"c1\",\"output\":"
                + "[{\"type\":\"text\",\"text\":\"built at last\"}]}");
  }

  @Test
  void aLinkIsKeptAsWhatItIsAndReadsAsPartOfTheMessage() {
    TaskReports reports = reports(Skills.none(), "r");
    String link = "{\"type\":\"resource_link\",\"uri\":\"file:///a\",\"name\":\"a\"}";

    reports.add(new SessionUpdate.Text(Voice.AGENT, "m", 0, "See "));
    reports.add(new SessionUpdate.Content(Voice.AGENT, "m", RawJson.of(json(link))));

    assertThat(reports.summary()).isEqualTo("See [a](file:///a)");
    assertThat(events.get(1))
        .startsWith("vendor.agent_host.content ")
        .contains("\"text\":\"[a](file:///a)\"", "\"content\":" + link);
  }
}
