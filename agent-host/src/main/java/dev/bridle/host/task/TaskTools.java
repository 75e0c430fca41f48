package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.host.bridge.ToolDescriptor;
import dev.bridle.host.bridge.ToolFailure;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.Decision;
import dev.bridle.worker.Permission;
import dev.bridle.worker.Question;
import dev.bridle.worker.QuestionWithdrawn;
import dev.bridle.worker.TaskCancelled;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskSuspended;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * The tools of the host for one task. Each passes the task's policy; what writes or runs is also
 * asked of people. Each call is a recorded step. For the task's own thread, but for {@link #begin}
 * and {@link #await}.
 */
final class TaskTools {
  private static final Duration HOLD = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int MOST_ARTIFACT = 1 << 20;
  private static final int MOST_TITLE = 200;

  /** What the host offers, in the order of the list. */
  static final List<ToolDescriptor> DESCRIPTORS =
      List.of(
          tool("read_file", "Read a text file of the folder, or some lines of it.")
              .needs("path", "string")
              .takes("first_line", "integer")
              .takes("lines", "integer")
              .made(),
          tool("list_files", "List files and folders below a path of the folder.")
              .takes("path", "string")
              .takes("depth", "integer")
              .made(),
          tool("search_files", "Find lines of text files of the folder that contain a text.")
              .needs("text", "string")
              .takes("path", "string")
              .made(),
          tool("write_file", "Write a whole text file of the folder. Needs permission.")
              .needs("path", "string")
              .needs("content", "string")
              .made(),
          tool("run_command", "Run a shell command in the folder. Needs permission.")
              .needs("command", "string")
              .takes("timeout_seconds", "integer")
              .made(),
          tool("create_artifact", "Keep a text as an artifact of the task.")
              .needs("content", "string")
              .takes("mime_type", "string")
              .made(),
          tool("ask_person", "Ask a person, and wait for the answer.")
              .needs("question", "string")
              .made());

  /** Those that people are asked about. */
  static final Set<String> ACTING = Set.of("write_file", "run_command");

  private final TaskContext task;
  private final FolderFiles files;
  private final CommandRunner commands;
  private final TaskReports reports;
  private final ServedCalls served;
  private final AllowedActions allowed;
  private final AskingRules asking;

  TaskTools(
      TaskContext task,
      FolderFiles files,
      CommandRunner commands,
      TaskReports reports,
      ServedCalls served,
      AllowedActions allowed,
      AskingRules asking) {
    this.served = served;
    this.allowed = allowed;
    this.asking = asking;
    this.task = task;
    this.files = files;
    this.commands = commands;
    this.reports = reports;
  }

  private static ToolSchema tool(String name, String description) {
    return new ToolSchema(name, description);
  }

  /** What a call computes; its result is recorded. */
  private interface Work {
    JsonNode run(String key) throws ToolFailure, IOException, InterruptedException;
  }

  /** Takes a call that is about to be made. By any thread. */
  void begin(HostCall call) {
    served.begin(call);
  }

  /**
   * Waits for what a call gives back; it counts as served by then. By any thread.
   *
   * @throws ToolFailure if it gives nothing back
   * @throws InterruptedException if nobody waits any more; the call is cancelled
   */
  JsonNode await(HostCall call) throws ToolFailure, InterruptedException {
    return call.await(() -> served.end(call, false));
  }

  /** Calls a tool, and completes the call with what it gives back, or with why it gives nothing. */
  void serve(HostCall call) throws InterruptedException {
    try {
      call.result().complete(call(call));
    } catch (ToolFailure e) {
      call.result().completeExceptionally(e);
    } finally {
      call.result().completeExceptionally(ToolFailure.of("The task has ended"));
    }
  }

  /**
   * Calls a tool.
   *
   * @throws ToolFailure if it gives nothing back, also since the call is cancelled
   */
  JsonNode call(HostCall call) throws ToolFailure, InterruptedException {
    boolean succeeded = false;
    try {
      call.throwIfCancelled();
      JsonNode result = serve(call, call.tool(), call.arguments());
      succeeded = !call.isCancelled();
      return result;
    } finally {
      var unused = served.end(call, succeeded); // Where it was cancelled, it counts already.
    }
  }

  private JsonNode serve(HostCall call, String name, JsonNode arguments)
      throws ToolFailure, InterruptedException {
    return switch (name) {
      case "read_file" -> recorded(name, key -> read(key, call, files::read));
      case "list_files" -> recorded(name, key -> read(key, call, files::list));
      case "search_files" -> recorded(name, key -> read(key, call, files::search));
      case "write_file" -> recorded(name, key -> write(key, call, files.change(arguments)));
      case "run_command" -> recorded(name, key -> run(key, call));
      case "create_artifact" -> recorded(name, key -> artifact(key, call));
      case "ask_person" -> ask(call, ToolSchema.text(arguments, "question"));
      default -> throw ToolFailure.unknown(name);
    };
  }

  private JsonNode recorded(String name, Work work) throws ToolFailure, InterruptedException {
    String key = reports.toolKey("host:" + name);
    try {
      JsonNode result = task.step(key, () -> work.run(key));
      var unused = allowed.settle(key); // The step's record says how it went.
      return result;
    } catch (ToolFailure e) {
      allowed
          .settle(key)
          .ifPresent(settled -> task.event(settled, HostEvents.TOOL_FAILED, failed(name, key)));
      throw e;
    } catch (InterruptedException | RuntimeException e) {
      if (e instanceof CallRefused refused) {
        throw ToolFailure.of("The core refused it: " + refused.getMessage());
      }
      throw e;
    } catch (IOException e) {
      throw ToolFailure.of(e.getClass().getSimpleName() + ": " + e.getMessage());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectNode failed(String name, String key) {
    return JsonNodeFactory.instance.objectNode().put("tool_name", name).put("step", key);
  }

  /** What reads the folder. */
  private interface Reading {
    JsonNode run(JsonNode arguments) throws ToolFailure, IOException;
  }

  private JsonNode read(String key, HostCall call, Reading reading)
      throws ToolFailure, IOException {
    ObjectNode content = JsonNodeFactory.instance.objectNode();
    content.set("arguments", call.arguments());
    content.put("cwd", files.folder().toString());
    var unused =
        needAllowed(
            key,
            call,
            Permission.of("read", content, "Read files").withTool(call.tool()).byPolicyOnly());
    return reading.run(call.arguments());
  }

  private JsonNode write(String key, HostCall call, FolderFiles.Change change)
      throws ToolFailure, IOException {
    ObjectNode content =
        JsonNodeFactory.instance
            .objectNode()
            .put("path", change.path().toString())
            .put("before_sha256", change.before())
            .put("after_sha256", change.after())
            .put("content", change.content());
    String title = title("Write " + change.path());
    needNotedAsAllowed(
        key,
        call,
        title,
        Permission.of("edit", content, title)
            .withTool("write_file")
            .withSideEffect("file_write")
            .withEditedFiles(List.of(change.path().toString())));
    ObjectNode done = files.write(change);
    task.sideEffect(key + ":effect", change.effect());
    return done;
  }

  private JsonNode run(String key, HostCall call)
      throws ToolFailure, IOException, InterruptedException {
    String command = ToolSchema.text(call.arguments(), "command");
    Duration time = CommandRunner.time(call.arguments());
    ObjectNode content =
        JsonNodeFactory.instance
            .objectNode()
            .put("command", command)
            .put("cwd", files.folder().toString());
    String title = title("Run " + command);
    needNotedAsAllowed(
        key, call, title, Permission.of("command", content, title).withTool("run_command"));
    CommandRunner.Result result = commands.run(call, command, files.folder(), time);
    task.sideEffect(key + ":effect", result.effect(command));
    return result.json();
  }

  /** Notes what changes something before it begins: an end of this host leaves it unknown. */
  private void needNotedAsAllowed(String key, HostCall call, String title, Permission permission)
      throws ToolFailure {
    allowed.begin(key, needAllowed(key, call, permission), title);
  }

  /** A question that is withdrawn is one that nobody decided. */
  private Decision needAllowed(String key, HostCall call, Permission permission)
      throws ToolFailure {
    String question = key + ":permission";
    call.begin(() -> withdraw(call, question));
    Decision decision;
    try {
      decision =
          task.requestPermission(
              question,
              (permission.policyOnly() ? permission : asking.applyTo(permission)).holding(HOLD));
    } finally {
      call.end();
    }
    call.throwIfCancelled();
    if (!decision.allowed()) {
      throw ToolFailure.of(
          "Not allowed ("
              + decision.verdict().name().toLowerCase(Locale.ROOT)
              + ")"
              + decision.reason().map(why -> ": " + why).orElse(""));
    }
    return decision;
  }

  private JsonNode artifact(String key, HostCall call) throws ToolFailure {
    byte[] content = ToolSchema.text(call.arguments(), "content").getBytes(StandardCharsets.UTF_8);
    if (content.length > MOST_ARTIFACT) {
      throw ToolFailure.of("content must have at most " + MOST_ARTIFACT + " bytes");
    }
    String type = call.arguments().path("mime_type").asText("text/plain");
    ObjectNode about =
        JsonNodeFactory.instance
            .objectNode()
            .put("mime_type", type)
            .put("sha256", Sha256.hex(content))
            .put("size", content.length);
    var unused =
        needAllowed(
            key,
            call,
            Permission.of("artifact", about, "Keep an artifact")
                .withTool("create_artifact")
                .byPolicyOnly());
    Artifact made =
        task.artifact(key + ":artifact", ArtifactKind.ARTIFACT_KIND_FILE, type, content);
    return JsonNodeFactory.instance.objectNode().put("artifact_id", made.getId());
  }

  private JsonNode ask(HostCall call, String question) throws ToolFailure {
    String key = reports.questionKey();
    call.begin(() -> withdraw(call, key));
    Message answer;
    try {
      answer = task.requestInput(key, Question.of(question).holding(HOLD));
    } catch (QuestionWithdrawn e) {
      throw ToolFailure.of("The question was withdrawn");
    } finally {
      call.end();
    }
    String text =
        answer.getPartsList().stream()
            .filter(Part::hasText)
            .map(part -> part.getText().getText())
            .collect(Collectors.joining("\n"));
    return JsonNodeFactory.instance.objectNode().put("answer", text);
  }

  /** Repeats, since the task's thread may be on its way to ask. */
  private void withdraw(HostCall call, String question) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (call.isUnderWay() && !task.withdraw(question)) {
                  LockSupport.parkNanos(PAUSE.toNanos());
                }
              } catch (TaskCancelled | TaskSuspended | CallRefused e) {
                // The task's own thread gets this as well.
              }
            },
            "agent-withdrawal");
    thread.setDaemon(true);
    thread.start();
  }

  private static String title(String text) {
    return Optional.of(text)
        .filter(all -> all.length() <= MOST_TITLE)
        .orElseGet(() -> text.substring(0, MOST_TITLE));
  }
}
