package dev.bridle.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Submits, cancels, answers and talks at random, and writes down what was acknowledged. */
final class LoadClient {
  private static final int LONGEST_PAUSE_NANOS = 150_000_000;

  private final PatientClient client;
  private final List<String> sessions;
  private final Ledger ledger;
  private final Random random;
  private final String name;
  private final Semaphore turns;
  private final List<String> mine = new ArrayList<>();
  private int commands;

  /**
   * Creates a client.
   *
   * @param turns one is used up by each command, since the checks after each kill read all that
   *     there is: unbounded load outgrows them
   */
  LoadClient(
      PatientClient client,
      List<String> sessions,
      Ledger ledger,
      String name,
      Random random,
      Semaphore turns) {
    this.client = client;
    this.sessions = sessions;
    this.ledger = ledger;
    this.name = name;
    this.random = random;
    this.turns = turns;
  }

  void runUntil(BooleanSupplier stopped) {
    while (!stopped.getAsBoolean()) {
      LockSupport.parkNanos(random.nextInt(LONGEST_PAUSE_NANOS));
      if (!turns.tryAcquire()) {
        continue;
      }
      switch (random.nextInt(8)) {
        case 0 -> cancel();
        case 1 -> say();
        case 2, 3 -> look();
        default -> submit();
      }
    }
  }

  private void submit() {
    String session = oneOf(sessions);
    ObjectNode body = Json.object();
    body.set("input", input());
    Ledger.Submission submission = new Ledger.Submission(session, nextKey(), body);
    Answer answer = submit(client, submission);
    assertThat(answer.status()).as("%s", answer).isEqualTo(202);
    String task = answer.json().get("id").textValue();
    ledger.submitted(task, submission);
    mine.add(task);
  }

  static Answer submit(PatientClient client, Ledger.Submission submission) {
    return client.post(
        "/v1/sessions/" + submission.session() + "/tasks", submission.body(), submission.key());
  }

  private ObjectNode input() {
    return switch (random.nextInt(6)) {
      case 0 -> Json.object().put("ask", "Which text?");
      case 1 -> Json.object().put("unrelated", true);
      case 2 -> Json.object().put("text", "quick");
      default -> Json.object().put("text", "slow").put("delay_ms", random.nextInt(1500));
    };
  }

  private void cancel() {
    if (mine.isEmpty()) {
      return;
    }
    String task = oneOf(mine);
    Answer answer = client.post("/v1/tasks/" + task + "/cancel", Json.object(), nextKey());
    if (answer.status() == 200) {
      note(task, answer.json());
    } else {
      assertThat(answer.errorCode()).as("%s", answer).isEqualTo("invalid_state_transition");
    }
  }

  private void say() {
    String session = oneOf(sessions);
    ObjectNode body = Json.object();
    body.set("message", PatientClient.message("said by " + name));
    Answer answer = client.post("/v1/sessions/" + session + "/messages", body, nextKey());
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    ledger.said(answer.json().get("id").textValue(), session);
  }

  private void look() {
    if (mine.isEmpty()) {
      return;
    }
    String task = oneOf(mine);
    JsonNode seen = client.read("/v1/tasks/" + task);
    note(task, seen);
    if (seen.get("status").textValue().equals("INPUT_REQUIRED")) {
      answer(client, task, nextKey());
    }
  }

  /** Answers a task's question; somebody else may have done so, or have canceled it. */
  static void answer(PatientClient client, String task, String key) {
    ObjectNode body = Json.object().put("kind", "input");
    body.set("message", PatientClient.message("an answer"));
    Answer answer = client.post("/v1/tasks/" + task + "/messages", body, key);
    assertThat(answer.status()).as("%s", answer).isIn(201, 400);
  }

  private void note(String task, JsonNode seen) {
    String status = seen.get("status").textValue();
    if (CrashChecks.TERMINAL.contains(status)) {
      ledger.ended(task, status);
    }
  }

  private String nextKey() {
    return name + "-" + commands++;
  }

  private String oneOf(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
