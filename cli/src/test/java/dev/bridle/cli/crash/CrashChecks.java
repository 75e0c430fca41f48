package dev.bridle.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What has to hold after kills: nothing acknowledged is lost, nothing is told twice. */
final class CrashChecks {
  static final Set<String> TERMINAL = Set.of("COMPLETED", "FAILED", "CANCELED");
  private static final Set<String> END_EVENTS =
      Set.of("task.completed", "task.failed", "task.canceled");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final PatientClient client;
  private final Ledger ledger;

  CrashChecks(PatientClient client, Ledger ledger) {
    this.client = client;
    this.ledger = ledger;
  }

  /** Checks that what was acknowledged so far can be read, and what had ended stands as it was. */
  void nothingIsLost(List<String> sessions) {
    Map<String, String> ends = ledger.ends();
    Map<String, Ledger.Submission> tasks = ledger.tasks();
    Map<String, String> messages = ledger.messages();
    Map<String, String> found = new HashMap<>();
    Set<String> said = new HashSet<>();
    for (String session : sessions) {
      client
          .all("/v1/sessions/" + session + "/tasks", "cursor")
          .forEach(t -> found.put(t.get("id").textValue(), t.get("status").textValue()));
      client
          .all("/v1/sessions/" + session + "/messages", "cursor")
          .forEach(m -> said.add(m.get("id").textValue()));
    }
    assertThat(found.keySet()).containsAll(tasks.keySet());
    assertThat(said).containsAll(messages.keySet());
    assertThat(found).containsAllEntriesOf(ends);
  }

  /** Answers what still asks, and waits until every task has ended. */
  void everyTaskEnds(List<String> sessions) {
    await("the end of every task")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() -> assertThat(stillGoing(sessions)).isEmpty());
  }

  private List<String> stillGoing(List<String> sessions) {
    List<String> going = new ArrayList<>();
    for (String session : sessions) {
      for (JsonNode task : client.all("/v1/sessions/" + session + "/tasks", "cursor")) {
        String id = task.get("id").textValue();
        String status = task.get("status").textValue();
        if (status.equals("INPUT_REQUIRED")) {
          LoadClient.answer(client, id, "last-" + id);
        }
        if (!TERMINAL.contains(status)) {
          going.add(id);
        }
      }
    }
    return going;
  }

  /** Checks a session's whole log: dense, each task ended once and last, and one outcome each. */
  List<String> log(String session) {
    List<JsonNode> events = client.all("/v1/sessions/" + session + "/events", "after_event_id");
    Map<String, List<JsonNode>> byResource = new HashMap<>();
    for (JsonNode event : events) {
      byResource
          .computeIfAbsent(event.at("/resource/id").textValue(), id -> new ArrayList<>())
          .add(event);
    }
    byResource.forEach(CrashChecks::dense);
    byResource.forEach(
        (id, told) -> {
          if (told.get(0).at("/resource/object").textValue().equals("task")) {
            task(id, told);
          }
        });
    List<String> ids = events.stream().map(e -> e.get("id").textValue()).toList();
    assertThat(ids).isSorted().doesNotHaveDuplicates();
    return ids;
  }

  private static void dense(String id, List<JsonNode> told) {
    for (int i = 0; i < told.size(); i++) {
      assertThat(told.get(i).get("sequence").longValue())
          .as("sequence of event %d of %s", i, id)
          .isEqualTo(i);
    }
  }

  private void task(String id, List<JsonNode> told) {
    List<String> kinds = told.stream().map(e -> e.get("event").textValue()).toList();
    assertThat(kinds).as(id).startsWith("task.submitted").containsOnlyOnce("task.submitted");
    assertThat(kinds.stream().filter(END_EVENTS::contains)).as("ends of %s", id).hasSize(1);
    String end = kinds.get(kinds.size() - 1);
    assertThat(END_EVENTS).as("last event of %s", id).contains(end);
    JsonNode task = client.read("/v1/tasks/" + id);
    assertThat("task." + task.get("status").textValue().toLowerCase(Locale.ROOT))
        .as("state of %s", id)
        .isEqualTo(end);
    List<JsonNode> outcomes = client.all("/v1/outcomes?task_id=" + id, "cursor");
    if (end.equals("task.completed")) {
      assertThat(outcomes).as("outcomes of %s", id).hasSize(1);
      assertThat(outcomes.get(0).get("status").textValue()).isEqualTo("SUCCEEDED");
      assertThat(client.all("/v1/artifacts?task_id=" + id, "cursor")).as(id).hasSize(1);
    } else {
      assertThat(outcomes)
          .as("outcomes of %s", id)
          .noneMatch(o -> o.get("status").textValue().equals("SUCCEEDED"));
    }
  }

  /** Checks that each submission, sent once more, gives the task that it gave before. */
  void retriesGiveTheSame() {
    ledger
        .tasks()
        .forEach(
            (task, submission) ->
                assertThat(LoadClient.submit(client, submission).json().get("id").textValue())
                    .as("submission %s", submission.key())
                    .isEqualTo(task));
  }
}
