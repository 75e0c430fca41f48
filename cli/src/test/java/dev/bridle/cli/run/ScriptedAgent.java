package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * An agent whose prompts say what it does: {@code make NAME} asks and adds a line to a file, {@code
 * work NAME} has a command of its own do that, {@code sneak NAME} does it without asking, {@code
 * die} ends the process, {@code step NAME} calls a tool until there is such a file, then waits,
 * {@code wait} goes on until it is cancelled, {@code linger NAME} notes the first cancel in a file
 * and goes on, {@code large NAME} asks at length, {@code edit FILE} asks with a difference and
 * writes a file, {@code differ NAME} asks and then does another thing, {@code variable NAME} says a
 * variable of its environment, {@code after} says its mode after its turn, {@code beside FIRST
 * SECOND} does the first while it asks for the second, {@code withdraw NAME} asks and takes it
 * back, {@code form} has a form filled in, {@code tool NAME JSON} calls a tool of the host, {@code
 * word NAME} asks without options as the Harn bridge does, {@code quorum NAME} asks so for two
 * approvals and shows evidence, {@code many N} asks for a lot, {@code run SCRIPT} runs a script of
 * its folder, {@code report FILE} sends the updates of a file, {@code say TEXT} says it. Its
 * session is a file in its folder, to be resumed unless there is a file {@code forget}. A file
 * {@code deaf} has it die at its next prompt, unheard, with its session kept.
 */
public final class ScriptedAgent {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** How long a step takes that is taken while nothing comes. */
  private static final long STEP_NANOS = 1_000_000_000;

  private final AgentConnection host = new AgentConnection();

  /** Ids of a run of this agent are no ids of another run. */
  private final String run = UUID.randomUUID().toString().substring(0, 8);

  private Path folder = Path.of("");
  private int calls;

  /** The kind of the newest call. */
  private String kind = "execute";

  private CompletableFuture<Void> beside = CompletableFuture.completedFuture(null);

  private ScriptedAgent() {}

  /** Speaks ACP on standard input and output. */
  public static void main(String[] args) throws IOException {
    new ScriptedAgent().serve();
  }

  private void serve() throws IOException {
    for (Optional<JsonNode> next = host.read(); next.isPresent(); next = host.read()) {
      JsonNode message = next.get();
      ObjectNode result = MAPPER.createObjectNode();
      switch (message.path("method").asText()) {
        case "initialize" -> {
          result.put("protocolVersion", 1);
          result.putObject("agentInfo").put("name", "Scripted").put("version", "1");
          result
              .putObject("agentCapabilities")
              .putObject("sessionCapabilities")
              .putObject("resume");
        }
        case "session/new" -> {
          folder = Path.of(message.at("/params/cwd").asText());
          result.put("sessionId", "s-1");
        }
        case "session/resume" -> {
          folder = Path.of(message.at("/params/cwd").asText());
          if (Files.exists(folder.resolve("forget"))) {
            host.refuse(message, "There is no such session.");
            continue;
          }
          Files.writeString(folder.resolve("resumed"), message.at("/params/sessionId").asText());
        }
        case "session/prompt" ->
            result.put("stopReason", prompt(message.at("/params/prompt/0/text").asText()));
        default -> {
          continue;
        }
      }
      host.answer(message, result);
    }
  }

  private String prompt(String text) throws IOException {
    if (Files.deleteIfExists(folder.resolve("deaf"))) {
      Files.deleteIfExists(folder.resolve("forget"));
      Runtime.getRuntime().halt(3);
    }
    note("prompts", text);
    String[] words = text.lines().reduce((first, last) -> last).orElse("").split(" ", 2);
    return switch (words[0]) {
      case "make" -> make(words[1], () -> note(words[1], "made"));
      case "work" -> make(words[1], () -> command("sleep 0.1; echo made >> " + words[1]));
      case "edit" -> edit(words[1]);
      case "sneak" -> {
        note(words[1], "made");
        tool("completed", words[1]);
        yield "end_turn";
      }
      case "large" -> make(words[1], "x".repeat(70_000) + "END", () -> note(words[1], "made"));
      case "many" -> {
        String end = "end_turn";
        for (int i = 0; i < Integer.parseInt(words[1]) && end.equals("end_turn"); i++) {
          String name = "it-" + i;
          end = make(name, () -> note(name, "made"));
        }
        yield end;
      }
      case "tool" -> tool(words[1]);
      case "word" -> word(words[1]);
      case "quorum" -> quorum(words[1]);
      case "differ" -> make(words[1], () -> other(words[1]));
      case "beside" -> beside(words[1].split(" ", -1)[0], words[1].split(" ", -1)[1]);
      case "after" -> {
        after();
        yield "end_turn";
      }
      case "variable" -> {
        host.say("it is " + Optional.ofNullable(System.getenv(words[1])).orElse("not there"));
        yield "end_turn";
      }
      case "withdraw" -> withdraw(words[1]);
      case "form" -> form();
      case "run" -> {
        command("sh ./" + words[1]);
        host.say("ran");
        yield "end_turn";
      }
      case "report" -> {
        for (String line : Files.readAllLines(folder.resolve(words[1]))) {
          host.send((ObjectNode) MAPPER.readTree(line));
        }
        yield "end_turn";
      }
      case "die" -> {
        Runtime.getRuntime().halt(3);
        yield "";
      }
      case "step" -> {
        calls++;
        tool("pending", words[1]);
        AwaitedFile.await(folder.resolve(words[1]));
        tool("completed", words[1]);
        yield stepUntilCanceled(words[1]);
      }
      case "linger" -> {
        host.say("waiting");
        String stopped = waitForCancel();
        note(words[1], stopped);
        yield waitForCancel();
      }
      case "wait" -> {
        host.say("waiting");
        yield waitForCancel();
      }
      default -> {
        host.say(text);
        yield "end_turn";
      }
    };
  }

  /** Takes further steps now and then: a message may have come after the first one had ended. */
  private String stepUntilCanceled(String name) throws IOException {
    long next = System.nanoTime() + STEP_NANOS;
    while (!host.hasNext()) {
      LockSupport.parkNanos(10_000_000);
      if (System.nanoTime() > next) {
        calls++;
        tool("pending", name);
        tool("completed", name);
        next = System.nanoTime() + STEP_NANOS;
      }
    }
    return waitForCancel();
  }

  private String waitForCancel() throws IOException {
    while (!host.read().orElseThrow().path("method").asText().equals("session/cancel")) {
      // Goes on.
    }
    host.say("stopped");
    return "cancelled";
  }

  /** What an allowed action does. */
  private interface Effect {
    void happen() throws IOException;
  }

  /** In a session of its own, as agents run commands: it outlives a kill of the agent's group. */
  private void command(String script) throws IOException {
    Process process =
        new ProcessBuilder("setsid", "--wait", "sh", "-c", script)
            .directory(folder.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException("the command failed");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private String make(String name, Effect effect) throws IOException {
    return make(name, "", effect);
  }

  /** Asks whether it may act. */
  private void ask(String name, String content) {
    ObjectNode input = MAPPER.createObjectNode().put("command", "touch " + name);
    if (!content.isEmpty()) {
      input.put("content", content);
    }
    ask(name, "execute", input, MAPPER.createArrayNode());
  }

  private void ask(String name, String kind, ObjectNode input, ArrayNode shown) {
    calls++;
    this.kind = kind;
    tool("pending", name);
    request(
        "session/request_permission",
        AgentQuestions.permission(callId(), name, kind, input, shown));
  }

  private void request(String method, ObjectNode params) {
    host.request(calls, method, params);
  }

  /** Asks, and takes it back once the person has typed the name's file into the folder. */
  private String withdraw(String name) throws IOException {
    ask(name, "");
    AwaitedFile.await(folder.resolve(name));
    host.cancel(calls);
    while (host.read().orElseThrow().path("id").asInt() != calls) {
      // The answer that it is taken back.
    }
    host.say("taken back");
    return "end_turn";
  }

  /** Calls a tool of the host, and says what that answers. */
  private String tool(String call) throws IOException {
    calls++;
    String[] nameAndArguments = call.split(" ", 2);
    ObjectNode params = MAPPER.createObjectNode().put("name", nameAndArguments[0]);
    params.putArray("args").add(MAPPER.readTree(nameAndArguments[1]));
    request("builtin_call", params);
    JsonNode answer = host.answer(calls);
    host.say("host says " + (answer.has("error") ? answer.path("error") : answer.path("result")));
    return "end_turn";
  }

  private String quorum(String name) throws IOException {
    String approvalId = callId();
    calls++;
    return word(name, AgentQuestions.quorum(callId(), approvalId, name));
  }

  private String word(String name) throws IOException {
    calls++;
    return word(name, AgentQuestions.word(callId(), name));
  }

  private String word(String name, ObjectNode question) throws IOException {
    request("session/request_permission", question);
    JsonNode result = host.answer(calls).path("result");
    if (result.path("granted").asBoolean()
        || result.at("/outcome/outcome").asText().equals("selected")) {
      note(result.at("/args/name").asText(name), "made");
      host.say("granted");
    } else {
      host.say("denied: " + result.path("reason").asText());
    }
    return "end_turn";
  }

  private String form() throws IOException {
    calls++;
    request("elicitation/create", AgentQuestions.form());
    host.say("got " + host.answer(calls).path("result"));
    return "end_turn";
  }

  private String edit(String file) throws IOException {
    ArrayNode shown = MAPPER.createArrayNode();
    shown.addObject().put("type", "diff").put("path", file).put("newText", "edited\n");
    String path = folder.resolve(file).toString();
    ask(file, "edit", MAPPER.createObjectNode().put("file_path", path), shown);
    return answered(file, () -> note(file, "edited"));
  }

  private String make(String name, String content, Effect effect) throws IOException {
    ask(name, content);
    return answered(name, effect);
  }

  /** Does the first thing, once there is a file named go, while it asks for the second. */
  private String beside(String first, String second) throws IOException {
    ask(first, "");
    if (!host.answer(calls).at("/result/outcome/optionId").asText().equals("yes")) {
      return "end_turn";
    }
    String id = callId();
    beside =
        CompletableFuture.runAsync(
            () -> {
              AwaitedFile.await(folder.resolve("go"));
              try {
                note(first, "made");
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              tool("completed", first, id);
            });
    String end = make(second, () -> note(second, "made"));
    beside.join();
    return end;
  }

  /** Says how things stand once its turn is over, and there is a file named go. */
  private void after() {
    beside =
        CompletableFuture.runAsync(
            () -> {
              AwaitedFile.await(folder.resolve("go"));
              for (String mode : List.of("first", "second")) {
                host.send(AgentConnection.update("current_mode_update").put("currentModeId", mode));
              }
              try {
                note("gone", "said");
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  private String answered(String name, Effect effect) throws IOException {
    while (true) {
      JsonNode message = host.read().orElseThrow();
      if (message.path("method").asText().equals("session/cancel")) {
        beside.join();
        return "cancelled";
      }
      if (message.path("id").asInt() == calls && message.has("result")) {
        if (message.at("/result/outcome/optionId").asText().equals("yes")) {
          effect.happen();
          tool("completed", name);
          host.say("made " + name + "\nof " + callId());
        } else {
          tool("failed", name);
          host.say("not made");
        }
        return "end_turn";
      }
    }
  }

  private void other(String name) throws IOException {
    note(name, "made");
    ObjectNode update =
        AgentConnection.update("tool_call_update")
            .put("toolCallId", callId())
            .put("status", "in_progress");
    update.putObject("rawInput").put("command", "rm " + name);
    host.send(update);
  }

  private String callId() {
    return "call-" + run + "-" + calls;
  }

  private void note(String file, String line) throws IOException {
    Files.writeString(
        folder.resolve(file), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void tool(String status, String name) {
    tool(status, name, callId());
  }

  private void tool(String status, String name, String id) {
    ObjectNode update =
        AgentConnection.update(status.equals("pending") ? "tool_call" : "tool_call_update")
            .put("toolCallId", id)
            .put("title", "make " + name)
            .put("kind", kind)
            .put("status", status);
    host.send(update);
  }
}
