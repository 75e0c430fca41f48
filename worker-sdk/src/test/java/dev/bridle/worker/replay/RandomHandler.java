package dev.bridle.worker.replay;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.worker.SideEffect;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Usage;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A handler of random steps, on up to three threads, whose order differs from run to run. What it
 * does not compute by itself it records, unless something is planted.
 */
final class RandomHandler implements TaskHandler {
  /** Never the same twice. */
  private static final AtomicLong WORLD = new AtomicLong();

  private final List<List<Action>> threads = new ArrayList<>();
  private final Optional<Plant> plant;
  private final String plantedKey;

  /** What is not deterministic. */
  enum Plant {
    EVENT_PAYLOAD,
    INPUT_HASH,
    STEP_KEY,
    ARTIFACT_CONTENT,
    SIDE_EFFECT,
    LEFT_OUT
  }

  private interface Action {
    void happen(TaskContext task) throws Exception;
  }

  RandomHandler(long seed, Optional<Plant> plant) {
    this.plant = plant;
    Random random = new Random(seed);
    int count = 1 + random.nextInt(3);
    for (int thread = 0; thread < count; thread++) {
      List<Action> actions = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(12); i++) {
        actions.add(action(random, thread + "." + i));
      }
      threads.add(actions);
    }
    this.plantedKey = "planted:" + random.nextInt(1000);
    if (plant.isPresent()) {
      List<Action> some = threads.get(random.nextInt(count));
      some.add(random.nextInt(some.size() + 1), task -> planted(task, plant.get()));
    }
  }

  String plantedKey() {
    return plantedKey;
  }

  private static long world() {
    return WORLD.incrementAndGet();
  }

  private static Action action(Random random, String key) {
    int sort = random.nextInt(13);
    int size = random.nextInt(100);
    return switch (sort) {
      case 0 -> task -> value(task, "llm:" + key, () -> world());
      case 1 -> task -> value(task, "outer:" + key, () -> nested(task, key));
      case 2 -> task -> task.progressAs("p" + key, "at " + size, java.util.OptionalDouble.empty());
      case 3 ->
          task ->
              task.event(
                  "e" + key, "vendor.x", JsonNodeFactory.instance.objectNode().put("a", size));
      case 4 -> task -> task.message("m" + key, "said " + value(task, "v" + key, () -> world()));
      case 5 ->
          task ->
              task.artifact(
                  "a" + key,
                  ArtifactKind.ARTIFACT_KIND_FILE,
                  "text/plain",
                  task.newId(key).getBytes(StandardCharsets.UTF_8));
      case 6 -> task -> task.usage("u" + key, Usage.ofModel("m", size, 1, BigDecimal.ONE));
      case 7 -> task -> task.sideEffect("s" + key, SideEffect.command("make " + size, 0));
      case 8 -> task -> failing(task, key);
      case 9 ->
          task ->
              task.event(
                  "t" + key,
                  "vendor.time",
                  JsonNodeFactory.instance.objectNode().put("at", task.now(key).toString()));
      case 10 ->
          task ->
              task.event(
                  "r" + key,
                  "vendor.random",
                  JsonNodeFactory.instance.objectNode().put("n", task.random(key).nextLong()));
      case 11 -> task -> task.checkpoint(key, IntNode.valueOf(size));
      default -> task -> task.secret("token");
    };
  }

  private static long value(TaskContext task, String key, Callable<Long> compute) throws Exception {
    return task.step(key, () -> LongNode.valueOf(compute.call())).longValue();
  }

  private static long nested(TaskContext task, String key) throws Exception {
    task.progressAs("np" + key, "world is " + world(), java.util.OptionalDouble.empty());
    return value(task, "inner:" + key, () -> world());
  }

  /** A step that fails as the world wants it, and is repeated until it does not. */
  private static void failing(TaskContext task, String key) throws Exception {
    for (int i = 0; i < 4; i++) {
      try {
        long unused =
            value(
                task,
                "f" + key,
                () -> {
                  long now = world();
                  if (now % 3 != 0) {
                    throw new IOException("the world is at " + now);
                  }
                  return now;
                });
        return;
      } catch (IOException e) {
        task.event(
            "failed" + key + "." + i,
            "vendor.failed",
            JsonNodeFactory.instance.objectNode().put("why", e.getMessage()));
      }
    }
  }

  private void planted(TaskContext task, Plant what) throws Exception {
    long now = world();
    switch (what) {
      case EVENT_PAYLOAD ->
          task.event(plantedKey, "vendor.x", JsonNodeFactory.instance.objectNode().put("now", now));
      case INPUT_HASH ->
          task.step(
              plantedKey,
              "sha256:" + String.format(Locale.ROOT, "%064x", now),
              () -> IntNode.valueOf(1));
      case STEP_KEY -> task.step(plantedKey + ":" + now, () -> IntNode.valueOf(1));
      case ARTIFACT_CONTENT ->
          task.artifact(
              plantedKey,
              ArtifactKind.ARTIFACT_KIND_FILE,
              "text/plain",
              Long.toString(now).getBytes(StandardCharsets.UTF_8));
      case SIDE_EFFECT -> task.sideEffect(plantedKey, SideEffect.command("at " + now, 0));
      case LEFT_OUT -> {
        if (!leftOut) {
          leftOut = true;
          task.progressAs(plantedKey, "only once", java.util.OptionalDouble.empty());
        }
      }
    }
  }

  private volatile boolean leftOut;

  @Override
  public TaskResult handle(TaskContext task) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads.size());
    try {
      List<Future<?>> running = new ArrayList<>();
      for (List<Action> actions : threads) {
        running.add(
            pool.submit(
                () -> {
                  for (Action action : actions) {
                    action.happen(task);
                  }
                  return null;
                }));
      }
      for (Future<?> one : running) {
        await(one);
      }
    } finally {
      pool.shutdownNow();
    }
    return TaskResult.of(plant.isPresent() ? "planted" : "done");
  }

  private static void await(Future<?> one) throws Exception {
    try {
      one.get();
    } catch (java.util.concurrent.ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (Exception) e.getCause();
    }
  }
}
