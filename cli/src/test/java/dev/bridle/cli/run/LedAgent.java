package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.cli.process.NodePackages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An agent that others made, of a pinned version, and how it is led to a scripted model. */
enum LedAgent {
  OPENCODE("opencode", "1.18.33", "opencode", "acp"),
  QWEN("qwen", "0.15.10", "qwen", "--acp"),
  CLAUDE("claude", "0.101.0", "claude-agent-acp", "") {
    @Override
    Map<String, String> variables(ScriptedModel model, Path home) {
      return Map.of(
          "ANTHROPIC_BASE_URL",
          model.root(),
          "ANTHROPIC_API_KEY",
          "none",
          "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
          "1");
    }
  },
  GEMINI("gemini", "0.61.0", "gemini", "--acp -m gemini-2.5-pro") {
    @Override
    Map<String, String> variables(ScriptedModel model, Path home) throws IOException {
      Path settings = home.resolve(".gemini/settings.json");
      if (!Files.exists(settings)) {
        write(settings, "{\"privacy\":{\"usageStatisticsEnabled\":false}}");
      }
      return Map.of("GEMINI_API_KEY", "none", "GOOGLE_GEMINI_BASE_URL", model.root());
    }
  },
  CODEX("codex", "2.6.0", "codex-acp", "") {
    @Override
    Map<String, String> variables(ScriptedModel model, Path home) throws IOException {
      return codex(model, home, "");
    }

    @Override
    List<String> options() {
      return List.of("--mode", "read-only", "--env", "CODEX_HOME", "--env", "OPENAI_API_KEY");
    }

    @Override
    ModelScript script(String command) {
      return ModelScript.escalated(command); // Inside its sandbox it does not ask.
    }
  },
  CODEX_ZED("codex-zed", "0.16.0", "codex-acp", "") {
    @Override
    Map<String, String> variables(ScriptedModel model, Path home) throws IOException {
      return codex(model, home, "approval_policy = \"untrusted\"\n");
    }

    @Override
    List<String> options() {
      return List.of("--env", "CODEX_HOME", "--env", "OPENAI_API_KEY");
    }
  };

  private final String id;
  private final String version;
  private final String program;
  private final String arguments;

  LedAgent(String id, String version, String program, String arguments) {
    this.id = id;
    this.version = version;
    this.program = program;
    this.arguments = arguments;
  }

  /** Returns its name in fixtures. */
  String id() {
    return id;
  }

  String version() {
    return version;
  }

  /** Returns the version that {@code fixtures/agents} pins. */
  String pinned() throws IOException {
    Path folder = Path.of("..", "fixtures", "agents");
    Path file = folder.resolve(packages().isPresent() ? id : "").resolve("package.json");
    JsonNode pinned = new ObjectMapper().readTree(Files.readString(file)).path("dependencies");
    return pinned.properties().stream()
        .filter(one -> packages().isPresent() || one.getKey().contains(id))
        .map(one -> one.getValue().asText())
        .findFirst()
        .orElseThrow();
  }

  /** Returns the name of its program, by which presets know it. */
  String program() {
    return program;
  }

  List<String> arguments() {
    return arguments.isEmpty() ? List.of() : List.of(arguments.split(" ", -1));
  }

  /** Returns the path of its program, once it is not {@link #missing}. */
  String path() {
    return packages()
        .map(
            own -> own.folder().resolve("node_modules").resolve(".bin").resolve(program).toString())
        .orElseGet(() -> ForeignAgents.program(program));
  }

  /** Installs it once; returns why it can't be used here, if so. */
  Optional<String> missing() throws IOException, InterruptedException {
    return packages().isPresent() ? packages().get().missing() : ForeignAgents.missing();
  }

  /** Those that are installed by themselves, so that one can be had where another can't. */
  private Optional<NodePackages> packages() {
    return Optional.ofNullable(Installed.OWN.get(this));
  }

  /** Holds what is installed once for all tests of a process. */
  private static final class Installed {
    private static final Map<LedAgent, NodePackages> OWN = new HashMap<>();

    static {
      for (LedAgent agent : List.of(CLAUDE, GEMINI, CODEX, CODEX_ZED)) {
        OWN.put(
            agent,
            new NodePackages(
                "the agent " + agent.id + " of others",
                "agents/" + agent.id,
                List.of("node_modules/.bin/" + agent.program),
                List.of()));
      }
    }

    private Installed() {}
  }

  /** Returns the variables by which it finds a model, and writes its settings into its home. */
  Map<String, String> variables(ScriptedModel model, Path home) throws IOException {
    return model.variables();
  }

  /** Returns the options of {@code bridle run} that make it ask, where no preset does. */
  List<String> options() {
    return List.of();
  }

  /** Returns what a model does so that the agent asks about a command. */
  ModelScript script(String command) {
    return ModelScript.command(command);
  }

  private static Map<String, String> codex(ScriptedModel model, Path home, String more)
      throws IOException {
    write(
        home.resolve("codex/config.toml"),
        "model = \"gpt-5.4\"\nmodel_provider = \"scripted\"\n"
            + more
            + "[model_providers.scripted]\nname = \"Scripted\"\nbase_url = \""
            + model.url()
            + "\"\nwire_api = \"responses\"\nenv_key = \"OPENAI_API_KEY\"\n"
            + "[analytics]\nenabled = false\n");
    return Map.of("CODEX_HOME", home.resolve("codex").toString(), "OPENAI_API_KEY", "none");
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
