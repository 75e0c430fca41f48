package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.task.MessageBody;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a person types while a task runs and no question is open: a message to the agent, or the
 * next prompt. Thread-safe.
 */
final class TypedWords {
  private final RestClient client;
  private final Terminal terminal;
  private final RunOutput output;

  /** The prompts that were queued here, by their tasks, oldest first. */
  private final Map<String, String> queued = new LinkedHashMap<>();

  private String task = "";
  private boolean reads;

  private TypedWords(RestClient client, Terminal terminal, RunOutput output) {
    this.client = client;
    this.terminal = terminal;
    this.output = output;
  }

  /** Starts with a thread that reads whenever this listens. */
  static TypedWords start(RestClient client, Terminal terminal, RunOutput output) {
    TypedWords words = new TypedWords(client, terminal, output);
    Thread thread = new Thread(words::read, "bridle-run-words");
    thread.setDaemon(true);
    thread.start();
    return words;
  }

  /** Listens from now on: what is typed is for this task. */
  synchronized void listen(String runs) {
    task = runs;
    notifyAll();
  }

  /** Listens no more, and has passed on what it has read: the terminal is somebody else's. */
  synchronized void pause() throws InterruptedException {
    task = "";
    while (reads) {
      wait();
    }
  }

  /** Returns the tasks of the prompts that were queued and have not begun, newest first. */
  synchronized List<String> queued() {
    List<String> tasks = new ArrayList<>(queued.keySet());
    Collections.reverse(tasks);
    return tasks;
  }

  /** Returns the task of the oldest prompt that is queued. */
  synchronized Optional<String> next() {
    return queued.keySet().stream().findFirst();
  }

  /** Takes a task from the queue; returns its prompt if it was queued here. */
  synchronized Optional<String> take(String id) {
    return Optional.ofNullable(queued.remove(id));
  }

  private synchronized boolean listens() {
    return !task.isEmpty();
  }

  private void read() {
    try {
      while (true) {
        String runs = begin();
        try {
          Optional<String> line = terminal.prompt(this::listens);
          if (line.isPresent()) {
            say(runs, line.get());
          } else if (listens()) {
            return; // The end of the input, which whoever reads next sees as well.
          }
        } finally {
          end();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized String begin() throws InterruptedException {
    while (task.isEmpty()) {
      wait();
    }
    reads = true;
    return task;
  }

  private synchronized void end() {
    reads = false;
    notifyAll();
  }

  private void say(String runs, String line) {
    TypedLine typed = TypedLine.of(line);
    if (line.isEmpty()) {
      return;
    }
    if (line.length() == 1) {
      output.note("not sent: '" + ShownText.line(line) + "' answers a question, and none is open");
    } else if (typed.text().isEmpty()) {
      output.note("not sent: there is nothing after " + line);
    } else {
      try {
        sent(typed, send(runs, typed));
      } catch (CommandFailed e) {
        output.note("not sent: " + ShownText.line(String.valueOf(e.getMessage())));
      }
    }
  }

  private JsonNode send(String to, TypedLine typed) {
    ObjectNode body = JsonLines.object().put("kind", "input").put("mode", typed.when().mode());
    body.set("message", MessageBody.ofUser(typed.text()));
    return client.post(
        "/v1/tasks/" + RestClient.escape(to) + "/messages", body, UUID.randomUUID().toString());
  }

  private void sent(TypedLine typed, JsonNode message) {
    String text = ShownText.line(typed.text());
    switch (typed.when()) {
      case NEXT -> {
        synchronized (this) {
          queued.put(message.path("task_id").asText(), typed.text());
        }
        output.note("queued: " + text);
      }
      case AFTER_STEP -> output.note("the agent gets after its tool call: " + text);
      case AT_ONCE -> output.note("the agent gets at once: " + text);
    }
  }
}
