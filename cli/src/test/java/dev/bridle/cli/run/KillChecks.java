package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.host.task.HostEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What has to hold of tasks of {@code work NAME}, whatever was killed meanwhile. */
public final class KillChecks {
  private static final Pattern SAID = Pattern.compile("of (call-[0-9a-f]+-[0-9]+)");
  private static final Set<String> ENDS = Set.of("task.completed", "task.failed", "task.canceled");

  private final RestClient client;
  private final Path folder;

  /** Checks tasks of a server whose agents work in a folder. */
  public KillChecks(RestClient client, Path folder) {
    this.client = client;
    this.folder = folder;
  }

  /** Waits until none of some processes runs. */
  static void gone(Collection<ProcessHandle> processes) {
    await("the end of what the agent had started")
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () ->
                assertThat(processes)
                    .filteredOn(ProcessHandle::isAlive)
                    .extracting(process -> process.pid() + " " + process.info().commandLine())
                    .isEmpty());
  }

  /** Checks a task that has ended. */
  public void ended(String id) throws IOException {
    JsonNode task = client.get("/v1/tasks/" + id);
    assertThat(task.path("status").asText()).as("%s", task).isEqualTo("COMPLETED");
    await("the receipt of " + id)
        .atMost(Duration.ofMinutes(3))
        .until(() -> receipts(id).size() >= 1);
    assertThat(receipts(id)).as("receipts of %s", id).hasSize(1);
    List<JsonNode> events = events(id);
    List<String> kinds = events.stream().map(event -> event.path("event").asText()).toList();
    assertThat(kinds).as(id).filteredOn(ENDS::contains).hasSize(1);

    assertThat(payloads(events, "agent.tool_use", "/tool_call_id"))
        .as("tool calls of %s", id)
        .doesNotHaveDuplicates();
    String texts = String.join("", payloads(events, HostEvents.TEXT, "/text"));
    assertThat(SAID.matcher(texts).results().map(MatchResult::group))
        .as("what the agent said in %s", id)
        .doesNotHaveDuplicates();
    effects(prompt(task.path("input")), events);
  }

  /** Returns the prompt of an input, which is a message or has a text. */
  private static String prompt(JsonNode input) {
    return input.path("text").asText(input.at("/parts/0/text").asText());
  }

  /** Each allowed use has one effect at most, or the record says that its outcome is unknown. */
  private void effects(String prompt, List<JsonNode> events) throws IOException {
    assertThat(prompt).startsWith("work ");
    Path file = folder.resolve(prompt.substring("work ".length()));
    int effects = Files.exists(file) ? Files.readAllLines(file).size() : 0;
    List<String> used = payloads(events, "vendor.bridle.permission_used", "/permission_request_id");
    assertThat(used).as("uses, each of an approval of its own").doesNotHaveDuplicates();
    Set<String> unknown =
        new HashSet<>(payloads(events, HostEvents.OUTCOME_UNKNOWN, "/permission_request_id"));
    unknown.addAll(payloads(events, "tool.approval_required", "/request/repeats/request_id"));
    Set<String> known = new HashSet<>(used);
    known.removeAll(unknown);
    long completed =
        events.stream()
            .filter(event -> event.path("event").asText().equals(HostEvents.TOOL_RESULT))
            .filter(event -> event.at("/payload/status").asText().equals("completed"))
            .map(event -> event.at("/payload/tool_call_id").asText())
            .distinct()
            .count();
    assertThat(effects).as("effects of %s, which was allowed %s", prompt, used).isPositive();
    assertThat(effects).as("effects of %s", prompt).isLessThanOrEqualTo(used.size());
    assertThat(effects - known.size())
        .as("effects of %s beyond those that are known, unknown are %s", prompt, unknown)
        .isLessThanOrEqualTo(unknown.size());
    assertThat((long) known.size())
        .as("uses of %s whose outcome the record takes as known, of %s", prompt, used)
        .isLessThanOrEqualTo(completed);
  }

  private static List<String> payloads(List<JsonNode> events, String kind, String member) {
    return events.stream()
        .filter(event -> event.path("event").asText().equals(kind))
        .map(event -> event.path("payload").at(member))
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .toList();
  }

  private JsonNode receipts(String id) {
    return client.get("/v1/tasks/" + id + "/receipts").path("data");
  }

  private List<JsonNode> events(String id) {
    JsonNode page = client.get("/v1/tasks/" + id + "/events?limit=200");
    assertThat(page.at("/page/has_more").asBoolean()).as("more events").isFalse();
    List<JsonNode> events = new ArrayList<>();
    page.path("data").forEach(events::add);
    return events;
  }
}
