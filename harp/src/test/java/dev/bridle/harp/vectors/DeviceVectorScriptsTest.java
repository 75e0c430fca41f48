package dev.bridle.harp.vectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that share no code with this library compute the same vectors. */
final class DeviceVectorScriptsTest {
  private static final Path SCRIPTS =
      Path.of("..", "fixtures", "harp").toAbsolutePath().normalize();
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path folder;

  /** A language in which the vectors are checked. */
  private enum Language {
    NODE(
        "node",
        "harp.mjs",
        "Node.js 20 or later",
        "-e",
        "process.exit(+process.versions.node.split('.')[0] < 20 ? 1 : 0)"),
    PYTHON("python3", "harp.py", "Python 3 with 'cryptography'", "-c", "import cryptography");

    private final String program;
    private final String script;
    private final String needed;
    private final String probeFlag;
    private final String probe;

    Language(String program, String script, String needed, String probeFlag, String probe) {
      this.program = program;
      this.script = script;
      this.needed = needed;
      this.probeFlag = probeFlag;
      this.probe = probe;
    }

    private List<String> probing() {
      return List.of(program, probeFlag, probe);
    }
  }

  private record Ran(int code, List<String> lines) {}

  /** Runs a program to its end. Its output goes to a file, since a pipe may be full. */
  private Ran run(List<String> command) throws IOException, InterruptedException {
    Path out = folder.resolve("out.txt");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(command + " does not end");
    }
    return new Ran(process.exitValue(), Files.readString(out, UTF_8).lines().toList());
  }

  /** Skips a test whose language can't run here, and says so. */
  private void require(Language language) throws InterruptedException {
    boolean installed = false;
    try {
      installed = run(language.probing()).code() == 0;
    } catch (IOException none) {
      // There is no program of that name.
    }
    String reason = "Skipped: the vectors of HARP devices are not checked by " + language.script;
    if (!installed) {
      System.out.println(reason + ", which needs " + language.needed + ".");
    }
    assumeTrue(installed, reason);
  }

  private Ran check(Language language, List<Path> files) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(language.program);
    command.add(SCRIPTS.resolve(language.script).toString());
    command.add("vectors");
    files.forEach(file -> command.add(file.toString()));
    return run(command);
  }

  @ParameterizedTest
  @EnumSource
  void anotherLanguageComputesTheVectors(Language language) throws Exception {
    require(language);
    Path file = DeviceVectors.FILE.toAbsolutePath().normalize();

    Ran ran = check(language, List.of(file));

    assertThat(ran.lines()).hasSize(1);
    assertThat(ran.lines().get(0)).matches(".*vectors\\.json: [1-9][0-9]+ values hold");
    assertThat(ran.code()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void oneWrongByteFails(Language language) throws Exception {
    require(language);
    String ciphertext =
        MAPPER.readTree(DeviceVectors.FILE.toFile()).at("/artifacts/0/sealed/enc/tag").textValue();
    String vectors = Files.readString(DeviceVectors.FILE);
    int at = vectors.indexOf(ciphertext);
    char changed = vectors.charAt(at) == 'A' ? 'B' : 'A';
    Path file = folder.resolve("wrong.json");
    Files.writeString(file, vectors.substring(0, at) + changed + vectors.substring(at + 1));

    Ran ran = check(language, List.of(file));

    assertThat(ran.lines()).hasSize(1);
    assertThat(ran.lines().get(0)).contains("wrong.json: does not hold: ");
    assertThat(ran.code()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aChangeOfAnyValueFails(Language language) throws Exception {
    require(language);
    Map<String, JsonNode> changed = ChangedVectors.of(MAPPER.readTree(DeviceVectors.FILE.toFile()));
    List<Path> files = new ArrayList<>();
    for (JsonNode vectors : changed.values()) {
      Path file = folder.resolve(files.size() + ".json");
      MAPPER.writeValue(file.toFile(), vectors);
      files.add(file);
    }

    Ran ran = check(language, files);

    assertThat(changed).hasSizeGreaterThan(300);
    assertThat(ran.lines()).hasSameSizeAs(files);
    List<String> places = List.copyOf(changed.keySet());
    for (int at = 0; at < places.size(); at++) {
      assertThat(ran.lines().get(at)).as(places.get(at)).contains("does not hold");
    }
    assertThat(ran.code()).isEqualTo(1);
  }
}
