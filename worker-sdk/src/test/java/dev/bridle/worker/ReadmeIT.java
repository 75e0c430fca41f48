package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The agent that the README shows. */
final class ReadmeIT {
  @RegisterExtension final CoreExtension fake = new CoreExtension(Duration.ofSeconds(30));

  @Test
  void theReadmeShowsTheAgentThatIsTestedHere() throws IOException {
    String source = Files.readString(Path.of("src/test/java/dev/bridle/worker/ReadmeAgent.java"));
    String shown = source.substring(source.indexOf("/** Greets")).strip();
    assertThat(Files.readString(Path.of("README.md"))).contains("```java\n" + shown + "\n```");
  }

  @Test
  void theAgentOfTheReadmeGreets() {
    FakeCore core = fake.core();
    fake.start(fake.worker().agentId("greeter").handler(new ReadmeAgent()));
    String id = core.submitText("Ada");
    assertThat(fake.end(id)).matches("completed Greeted Ada with card [123]\\.");
    String asked = core.submitJson("{}");
    await(() -> core.question(asked).equals("Whom shall I greet?"));
    core.answer(asked, "Bob");

    assertThat(fake.end(asked)).startsWith("completed Greeted Bob");
  }
}
