package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.host.acp.SessionSettings;
import dev.bridle.host.preset.AgentStart;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Spawner;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.worker.GivenInput;
import dev.bridle.worker.SaidMessage;
import dev.bridle.worker.SentMessage;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskResult;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * A host whose agent is a shell script, and the tasks of one session without a core. The script
 * answers {@code initialize} (1) and {@code session/new} (2); its prompts are the calls from 3 on,
 * each of which it appends to the file {@code prompts}.
 */
final class ShellHost implements AutoCloseable {
  private static final String BEGIN =
      """
      prompted() { read -r line; printf '%s\\n' "$line" >> prompts; }
      result() { echo '{"jsonrpc":"2.0","id":'"$1"',"result":'"$2"'}'; }
      failed() { echo '{"jsonrpc":"2.0","id":'"$1"',"error":{"code":-32603,"message":"broken"}}'; }
      update() { echo '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1",'\\
      '"update":'"$1"'}}' | tr -d '\\n'; echo; }
      say() { update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"'"$1"'"}}'; }
      read -r line; result 1 '{"protocolVersion":1}'
      read -r line; result 2 '{"sessionId":"s1"}'
      """;

  final List<String> events = Collections.synchronizedList(new ArrayList<>());
  final List<String> messages = Collections.synchronizedList(new ArrayList<>());
  final List<byte[]> artifacts = Collections.synchronizedList(new ArrayList<>());
  final List<SaidMessage> transcript = new ArrayList<>();
  final Queue<SentMessage> sent = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final Path folder;
  private final AgentHost host;
  private volatile Optional<byte[]> state = Optional.empty();
  private volatile Runnable onMessage = () -> {};

  ShellHost(Path folder, Map<String, String> variables, String script) throws Exception {
    this.folder = folder.toRealPath();
    Path program = Files.writeString(folder.resolve("agent.sh"), BEGIN + script);
    this.host =
        new AgentHost(
            AgentLauncher.create(new Spawner(), Optional.empty(), timer),
            HostSettings.ofPerson(
                AgentStart.unknown(
                    List.of("sh", program.toString()), all(variables), variables.keySet()),
                "test",
                OptionalLong.empty(),
                SessionSettings.NONE),
            Workplace.only(this.folder),
            MemoryBudget.unlimited(),
            Offers.none(),
            timer,
            agent -> {});
  }

  ShellHost(Path folder, String script) throws Exception {
    this(folder, Map.of(), script);
  }

  private static Map<String, String> all(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(System.getenv());
    all.putAll(variables);
    return all;
  }

  static Message message(Role role, String text) {
    return Message.newBuilder()
        .setRole(role)
        .addParts(Part.newBuilder().setText(TextPart.newBuilder().setText(text)))
        .build();
  }

  /** Runs a task to its end. */
  TaskResult run(String prompt) throws Exception {
    TaskContext task =
        (TaskContext)
            Proxy.newProxyInstance(
                ShellHost.class.getClassLoader(),
                new Class<?>[] {TaskContext.class},
                (self, method, arguments) -> called(prompt, method, arguments));
    return host.handle(task);
  }

  private Object called(String prompt, Method method, Object... arguments) throws Exception {
    return switch (method.getName()) {
      case "task" -> Task.newBuilder().setId("task_1").setSessionId("session_1").build();
      case "folder" -> Optional.of(folder.toString());
      case "input" ->
          new GivenInput(
              TaskInput.newBuilder().setMessage(message(Role.ROLE_USER, prompt)).build());
      case "event" -> {
        events.add(arguments[1] + " " + arguments[2]);
        yield null;
      }
      case "message" -> {
        messages.add(arguments[1].toString());
        yield Message.getDefaultInstance();
      }
      case "artifact" -> {
        artifacts.add((byte[]) arguments[3]);
        yield Artifact.getDefaultInstance();
      }
      case "step" -> ((Callable<?>) arguments[arguments.length - 1]).call();
      case "transcript" -> List.copyOf(transcript);
      case "sessionState" -> state;
      case "keepSessionState" -> {
        state = Optional.of((byte[]) arguments[0]);
        yield null;
      }
      case "recorded" -> false;
      case "complete" -> sent.isEmpty();
      case "takenMessages" -> List.of();
      case "nextMessage" -> Optional.ofNullable(sent.poll());
      case "onMessage" -> {
        onMessage = (Runnable) arguments[0];
        yield null;
      }
      case "flush", "pause", "sideEffect", "usage", "throwIfCancelled" -> null;
      default -> throw new AssertionError(method);
    };
  }

  static SentMessage sent(String text) {
    return new SentMessage(false, message(Role.ROLE_USER, text));
  }

  /** Has the user say something to the task that works. */
  void say(String text) {
    sent.add(sent(text));
    onMessage.run();
  }

  /** Returns the texts that the agent was prompted with. */
  List<String> prompts() throws Exception {
    List<String> texts = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("prompts"))) {
      JsonNode prompt = new ObjectMapper().readTree(line);
      texts.add(prompt.at("/params/prompt/0/text").textValue());
    }
    return texts;
  }

  /** Returns the payloads of the events of a kind. */
  List<JsonNode> events(String kind) throws Exception {
    List<JsonNode> found = new ArrayList<>();
    for (String event : List.copyOf(events)) {
      if (event.startsWith(kind + " ")) {
        found.add(new ObjectMapper().readTree(event.substring(kind.length() + 1)));
      }
    }
    return found;
  }

  /** Creates a file that the script waits for. */
  void create(String name) throws Exception {
    var unused = Files.createFile(folder.resolve(name));
  }

  Set<String> kinds() {
    Set<String> kinds = new TreeSet<>();
    List.copyOf(events).forEach(event -> kinds.add(event.substring(0, event.indexOf(' '))));
    return kinds;
  }

  @Override
  public void close() {
    host.close();
    timer.shutdownNow();
  }
}
