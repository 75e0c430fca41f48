package dev.bridle.host.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** What the host of the transcripts offers. */
final class OfferedServices implements HostTools {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private OfferedServices() {}

  static BridgeServices make(Supplier<String> skills) {
    OfferedServices offered = new OfferedServices();
    return new BridgeServices(
        offered, new WordSearch(offered::list), OfferedServices::elsewhere, new OneSkill(skills));
  }

  private static ToolSearch.Found elsewhere(ToolSearch.Query query) throws ToolFailure {
    if (query.text().equals("fail")) {
      throw ToolFailure.of("The search endpoint can't be reached");
    }
    return new ToolSearch.Found(
        List.of("query_metrics", "unknown", "deploy_service"), "asked elsewhere: " + query.text());
  }

  @Override
  public List<ToolDescriptor> list() {
    return List.of(
        new ToolDescriptor(
            "echo",
            "Gives back what it gets",
            Optional.of(
                json("{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}")),
            false),
        new ToolDescriptor("old_echo", "", Optional.empty(), true));
  }

  @Override
  public JsonNode call(String name, JsonNode arguments) throws ToolFailure, InterruptedException {
    if (!name.equals("echo")) {
      throw ToolFailure.unknown(name);
    }
    if (arguments.has("fail")) {
      throw ToolFailure.of(arguments.get("fail").asText());
    }
    if (arguments.has("wait")) {
      new CountDownLatch(1).await();
    }
    if (arguments.has("fault")) {
      throw new IllegalStateException(arguments.get("fault").asText());
    }
    return arguments;
  }

  private static final class OneSkill implements Skills {
    private static final ObjectNode MANIFEST =
        json(
            "{\"when_to_use\":\"releases\",\"allowed_tools\":[\"bash\"],"
                + "\"paths\":[\"infra/**\"],\"model\":\"large\"}");

    private final Supplier<String> state;

    OneSkill(Supplier<String> state) {
      this.state = state;
    }

    @Override
    public Optional<String> state() {
      return Optional.of(state.get());
    }

    @Override
    public List<SkillManifest> list() {
      return List.of(new SkillManifest("deploy", "deploy", "Ship it", "", MANIFEST));
    }

    @Override
    public Optional<SkillManifest> fetch(String id) {
      return Optional.of(
              new SkillManifest("deploy", "deploy", "Ship it", "# Deploy runbook\n", MANIFEST))
          .filter(skill -> skill.id().equals(id));
    }
  }

  static ObjectNode json(String text) {
    try {
      return (ObjectNode) MAPPER.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
