package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.run.AgentProgram;
import dev.bridle.cli.run.ChoosyAgent;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The login, the mode and the options of a runtime that a server starts. */
@Tag("slow")
final class RuntimeSettingsIT {
  @TempDir private Path directory;

  @Test
  void itsSessionsHaveTheModeAndTheOptionsOfTheFile() throws Exception {
    Path agent = AgentProgram.make(directory, "choosy", ChoosyAgent.class);
    try (RuntimeServer server = new RuntimeServer(directory)) {
      ObjectNode runtime = server.runtime("session");
      runtime.putArray("command").add(agent.toString());
      runtime.put("login", "key").put("mode", "plan").putObject("options").put("web", true);
      server.write(runtime);
      server.start();

      assertThat(server.said(server.session(), "say it"))
          .contains("set: {login=key, mode=plan, web=true}");
      String[] list = {
        "runtime",
        "list",
        "--runtimes",
        server.file().toString(),
        "--runtime-homes",
        directory.resolve("data.runtimes").toString()
      };
      assertThat(Commands.run(0, list).out())
          .contains("  modes: ask (Ask), current", "  modes: plan (Plan)")
          .contains("  options: model (Model), current: big, one of: big, small");
    }
  }
}
