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
import dev.bridle.worker.TaskContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tools of the host for one task. Each passes the task's policy; what writes or runs is also
 * asked of people. Each call is a recorded step. For the task's own thread.
 */
final class TaskTools {
  private static final Duration HOLD = Duration.ofMinutes(10);
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

  JsonNode call(String name, JsonNode arguments) throws ToolFailure, InterruptedException {
    boolean succeeded = false;
    try {
      JsonNode result = serve(name, arguments);
      succeeded = true;
      return result;
    } finally {
      served.add(name, succeeded);
    }
  }

  private JsonNode serve(String name, JsonNode arguments) throws ToolFailure, InterruptedException {
    return switch (name) {
      case "read_file" -> recorded(name, key -> read(key, name, arguments, files::read));
      case "list_files" -> recorded(name, key -> read(key, name, arguments, files::list));
      case "search_files" -> recorded(name, key -> read(key, name, arguments, files::search));
      case "write_file" -> recorded(name, key -> write(key, files.change(arguments)));
      case "run_command" -> recorded(name, key -> run(key, arguments));
      case "create_artifact" -> recorded(name, key -> artifact(key, arguments));
      case "ask_person" -> ask(ToolSchema.text(arguments, "question"));
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

  private JsonNode read(String key, String name, JsonNode arguments, Reading reading)
      throws ToolFailure, IOException {
    ObjectNode content = JsonNodeFactory.instance.objectNode();
    content.set("arguments", arguments);
    content.put("cwd", files.folder().toString());
    var unused =
        needAllowed(
            key, Permission.of("read", content, "Read files").withTool(name).byPolicyOnly());
    return reading.run(arguments);
  }

  private JsonNode write(String key, FolderFiles.Change change) throws ToolFailure, IOException {
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
        title,
        Permission.of("edit", content, title)
            .withTool("write_file")
            .withSideEffect("file_write")
            .withEditedFiles(List.of(change.path().toString())));
    ObjectNode done = files.write(change);
    task.sideEffect(key + ":effect", change.effect());
    return done;
  }

  private JsonNode run(String key, JsonNode arguments)
      throws ToolFailure, IOException, InterruptedException {
    String command = ToolSchema.text(arguments, "command");
    Duration time = CommandRunner.time(arguments);
    ObjectNode content =
        JsonNodeFactory.instance
            .objectNode()
            .put("command", command)
            .put("cwd", files.folder().toString());
    String title = title("Run " + command);
    needNotedAsAllowed(
        key, title, Permission.of("command", content, title).withTool("run_command"));
    CommandRunner.Result result = commands.run(command, files.folder(), time);
    task.sideEffect(key + ":effect", result.effect(command));
    return result.json();
  }

  /** Notes what changes something before it begins: an end of this host leaves it unknown. */
  private void needNotedAsAllowed(String key, String title, Permission permission)
      throws ToolFailure {
    allowed.begin(key, needAllowed(key, permission), title);
  }

  private Decision needAllowed(String key, Permission permission) throws ToolFailure {
    Decision decision =
        task.requestPermission(
            key + ":permission",
            (permission.policyOnly() ? permission : asking.applyTo(permission)).holding(HOLD));
    if (!decision.allowed()) {
      throw ToolFailure.of(
          "Not allowed ("
              + decision.verdict().name().toLowerCase(Locale.ROOT)
              + ")"
              + decision.reason().map(why -> ": " + why).orElse(""));
    }
    return decision;
  }

  private JsonNode artifact(String key, JsonNode arguments) throws ToolFailure {
    byte[] content = ToolSchema.text(arguments, "content").getBytes(StandardCharsets.UTF_8);
    if (content.length > MOST_ARTIFACT) {
      throw ToolFailure.of("content must have at most " + MOST_ARTIFACT + " bytes");
    }
    String type = arguments.path("mime_type").asText("text/plain");
    ObjectNode about =
        JsonNodeFactory.instance
            .objectNode()
            .put("mime_type", type)
            .put("sha256", Sha256.hex(content))
            .put("size", content.length);
    var unused =
        needAllowed(
            key,
            Permission.of("artifact", about, "Keep an artifact")
                .withTool("create_artifact")
                .byPolicyOnly());
    Artifact made =
        task.artifact(key + ":artifact", ArtifactKind.ARTIFACT_KIND_FILE, type, content);
    return JsonNodeFactory.instance.objectNode().put("artifact_id", made.getId());
  }

  private JsonNode ask(String question) {
    Message answer = task.requestInput(reports.questionKey(), Question.of(question).holding(HOLD));
    String text =
        answer.getPartsList().stream()
            .filter(Part::hasText)
            .map(part -> part.getText().getText())
            .collect(Collectors.joining("\n"));
    return JsonNodeFactory.instance.objectNode().put("answer", text);
  }

  private static String title(String text) {
    return Optional.of(text)
        .filter(all -> all.length() <= MOST_TITLE)
        .orElseGet(() -> text.substring(0, MOST_TITLE));
  }
}
