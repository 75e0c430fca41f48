package dev.bridle.worker.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.worker.ReadmeAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The test that the README shows. */
class ReadmeReplayTest {
  @Test
  void theAgentDoesTheSameInAReplayAndAfterACrash() {
    ReplayKit kit = ReplayKit.of(new ReadmeAgent()).answering("name", "Ada");

    RecordedRun run =
        kit.run().needSame(); // throws ReplayDiverged, which names the first difference
    assertThat(run.stepKeys()).containsExactly("name", "progress:1", "host:cards:pick", "card");

    kit.interruptedAfter(3).run().needSame(); // a second run goes on with what the first recorded
  }

  @Test
  void theReadmeShowsTheTestAbove() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/dev/bridle/worker/replay/ReadmeReplayTest.java"));
    String shown =
        source
            .substring(source.indexOf("  @Test"), source.indexOf("  @Test\n  void theReadme"))
            .stripTrailing()
            .stripIndent();
    assertThat(Files.readString(Path.of("README.md"))).contains("```java\n" + shown + "\n```");
  }
}
