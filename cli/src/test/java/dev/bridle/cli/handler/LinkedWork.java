package dev.bridle.cli.handler;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.fixtures.client.Json;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.worker.Parts;
import dev.bridle.worker.SideEffect;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A handler of random steps on three threads, each of which may depend on values of any of them.
 * What it does can be foreseen: {@link ForeseenWork} does the same without a server.
 */
final class LinkedWork implements TaskHandler {
  private static final int THREADS = 3;
  private static final Kind[] KINDS = Kind.values();

  private final long seed;
  private final List<Node> nodes = new ArrayList<>();
  private final AtomicInteger computed = new AtomicInteger();

  /** What a node does. The first ones have a value that others may depend on. */
  enum Kind {
    ANSWER,
    FAILING,
    HASHED,
    DERIVED,
    EVENT,
    MESSAGE,
    ARTIFACT,
    PROGRESS,
    USAGE,
    SIDE_EFFECT,
    EITHER_EVENT,
    SOME_ANSWER;

    boolean hasValue() {
      return compareTo(DERIVED) <= 0;
    }

    boolean hasInputs() {
      return compareTo(FAILING) > 0;
    }
  }

  /**
   * What is done by a thread.
   *
   * @param inputs the numbers of earlier nodes whose values it depends on
   */
  record Node(int number, int thread, Kind kind, List<Integer> inputs) {}

  /** Where the work is done. */
  interface Ground {
    /**
     * Returns the value of a recorded step.
     *
     * @param failures how often its computation fails before
     */
    long value(String key, String inputHash, int failures) throws Exception;

    void report(Kind kind, String key, long content);
  }

  LinkedWork(long seed) {
    this.seed = seed;
    Random random = new Random(seed);
    List<Integer> valued = new ArrayList<>();
    int size = 8 + random.nextInt(17);
    for (int number = 0; number < size; number++) {
      Kind kind = valued.isEmpty() ? Kind.ANSWER : KINDS[random.nextInt(KINDS.length)];
      List<Integer> inputs = new ArrayList<>();
      for (int i = 0; kind.hasInputs() && i < 1 + random.nextInt(2); i++) {
        inputs.add(valued.get(random.nextInt(valued.size())));
      }
      nodes.add(new Node(number, random.nextInt(THREADS), kind, inputs));
      if (kind.hasValue()) {
        valued.add(number);
      }
    }
  }

  List<Node> nodes() {
    return nodes;
  }

  /** Returns how many values were computed. */
  int computed() {
    return computed.get();
  }

  /** Returns what the computation of a step comes to. */
  long made(String key) {
    return new Random(seed ^ key.hashCode()).nextInt(10);
  }

  /** Does what a node is there for, and returns its value, or 0. */
  static long act(Node node, long input, Ground ground) throws Exception {
    int number = node.number();
    return switch (node.kind()) {
      case ANSWER -> ground.value("llm:" + number, "", 0);
      case FAILING -> ground.value("host:" + number, "", 2);
      case HASHED -> ground.value("mcp:" + number, hash(input), 0);
      case DERIVED -> input % 5;
      case EITHER_EVENT -> {
        ground.report(Kind.EVENT, (input % 2 == 0 ? "even-" : "odd-") + number, number);
        yield 0;
      }
      case SOME_ANSWER -> input % 2 == 0 ? ground.value("llm:some:" + number, "", 0) : 0;
      default -> {
        ground.report(
            node.kind(), node.kind().name().toLowerCase(Locale.ROOT) + "-" + number, input);
        yield 0;
      }
    };
  }

  private static String hash(long input) {
    return Sha256.of(Long.toString(input).getBytes(UTF_8)).toString();
  }

  /** Returns how the work ends: its summary, or that nothing came of it. */
  static String end(long total) throws TaskFailure {
    if (total % 7 == 0) {
      throw new TaskFailure("nothing", "Nothing came of it.");
    }
    return "It was " + total + ".";
  }

  @Override
  public TaskResult handle(TaskContext task) throws Exception {
    List<CompletableFuture<Long>> values =
        nodes.stream().map(node -> new CompletableFuture<Long>()).toList();
    Ground ground = new OfTask(task);
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        running.add(
            pool.submit(
                () -> {
                  work(thread, values, ground);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      pool.shutdownNow();
    }
    return TaskResult.of(end(values.stream().mapToLong(CompletableFuture::join).sum()));
  }

  private void work(int thread, List<CompletableFuture<Long>> values, Ground ground)
      throws Exception {
    List<Node> own = nodes.stream().filter(node -> node.thread() == thread).toList();
    try {
      for (Node node : own) {
        long input = node.inputs().stream().mapToLong(from -> values.get(from).join()).sum();
        values.get(node.number()).complete(act(node, input, ground));
      }
    } finally {
      // Where this thread has failed, others wait in vain.
      own.forEach(node -> values.get(node.number()).cancel(false));
    }
  }

  private final class OfTask implements Ground {
    private final TaskContext task;

    OfTask(TaskContext task) {
      this.task = task;
    }

    @Override
    public long value(String key, String inputHash, int failures) throws Exception {
      int tried = 0;
      while (true) {
        boolean fails = tried < failures;
        try {
          return task.step(key, inputHash, () -> computed(key, fails)).longValue();
        } catch (TaskFailure e) {
          tried++; // Failures are recorded, too.
        }
      }
    }

    private JsonNode computed(String key, boolean fails) throws TaskFailure {
      computed.incrementAndGet();
      if (fails) {
        throw new TaskFailure("not_yet", "Try again.");
      }
      return LongNode.valueOf(made(key));
    }

    @Override
    public void report(Kind kind, String key, long content) {
      String text = "It is " + content + ".";
      switch (kind) {
        case EVENT -> task.event(key, "vendor.linked", Json.object().put("n", content));
        case MESSAGE -> {
          var unused = task.message(key, List.of(Parts.text(text)));
        }
        case ARTIFACT -> {
          var unused =
              task.artifact(
                  key, ArtifactKind.ARTIFACT_KIND_FILE, "text/plain", text.getBytes(UTF_8));
        }
        case PROGRESS -> task.progressAs(key, text, OptionalDouble.empty());
        case USAGE -> task.usage(key, Usage.ofModel("m", 1 + content, 1, BigDecimal.ONE));
        case SIDE_EFFECT -> task.sideEffect(key, SideEffect.command("make " + content, 0));
        default -> throw new IllegalArgumentException("no report: " + kind);
      }
    }
  }
}
