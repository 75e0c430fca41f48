package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.sample.SampleKeys;
import dev.bridle.proof.sample.SampleTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the files of {@code fixtures/replay}, always the same ones. */
public final class ReplayFixtures {
  /** The folder, seen from this module's. */
  static final Path FOLDER = Path.of("..", "fixtures", "replay");

  static final String SOURCE = "source.jsonl";
  static final String SEGMENT = "segment.json";
  static final String KEYS = "keys.json";

  /** The folder of those whose replay has replaced recorded values. */
  static final String OVERRIDDEN = "overridden/";

  static final String REQUEST = "request.json";
  static final String RUN = "run.json";

  private ReplayFixtures() {}

  /** Writes the files; run it in the module's folder. */
  public static void main(String[] args) throws IOException {
    Files.createDirectories(FOLDER.resolve(OVERRIDDEN));
    for (Map.Entry<String, byte[]> file : files().entrySet()) {
      Files.write(FOLDER.resolve(file.getKey()), file.getValue());
    }
  }

  /** Returns the content of each file, by its name. */
  static Map<String, byte[]> files() {
    SampleTask task = SampleTask.completed();
    Receipt source = SampleTask.signed(task.draft());
    LogReplay replay = new LogReplay(source);
    task.lines().forEach(line -> replay.add(line.getBytes(UTF_8)));
    Map<String, byte[]> files = new TreeMap<>();
    files.put(SOURCE, source(source, task.lines()));
    files.put(SEGMENT, replay.finish().segment().orElseThrow().unsigned().bytes());
    files.put(KEYS, line(StrictJson.parse(SampleKeys.set().toJson())).getBytes(UTF_8));
    ObjectNode run = OverriddenFixture.run();
    files.put(
        OVERRIDDEN + SOURCE, source(OverriddenFixture.source(), OverriddenFixture.task().lines()));
    files.put(OVERRIDDEN + REQUEST, OverriddenFixture.REQUEST.getBytes(UTF_8));
    files.put(OVERRIDDEN + RUN, line(run).getBytes(UTF_8));
    files.put(OVERRIDDEN + SEGMENT, OverriddenFixture.segment(run).bytes());
    return files;
  }

  /** Returns what {@code bridle replay record} writes of a task. */
  private static byte[] source(Receipt receipt, List<String> lines) {
    StringBuilder bundle = new StringBuilder();
    bundle.append(
        line(
            node()
                .put("type", "header")
                .put("format", "bridle-replay-1")
                .put("task_id", receipt.identifiers().taskId())));
    bundle.append(typed("key_set", StrictJson.parse(SampleKeys.set().toJson())));
    bundle.append(typed("receipt", receipt.json()));
    for (String each : lines) {
      bundle.append(typed("event", StrictJson.parse(each.getBytes(UTF_8))));
    }
    return bundle.toString().getBytes(UTF_8);
  }

  private static String typed(String type, JsonNode content) {
    ObjectNode line = node().put("type", type);
    line.set(type, content);
    return line(line);
  }

  private static String line(JsonNode json) {
    return new String(CanonicalJson.bytes(json), UTF_8) + "\n";
  }

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
