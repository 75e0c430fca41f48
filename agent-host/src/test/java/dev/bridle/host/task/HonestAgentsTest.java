package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.CallUpdate;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.rpc.RawJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What agents were recorded to say of a call that goes on as it was allowed is no other action. */
class HonestAgentsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path RECORDED = Path.of("..", "fixtures", "agents", "requests");
  private static final Path FOLDER = Path.of("/project");
  private static final String FILE = "/project/a.txt";

  /**
   * What was recorded of an agent, which is the names of members.
   *
   * @param before the text of the file, if it is there; what is written is {@code new}
   */
  private record Recorded(String agent, String action, JsonNode shape, Optional<String> before) {
    @Override
    public String toString() {
      return agent + " " + action + " " + before.orElse("");
    }
  }

  static List<Recorded> recorded() throws IOException {
    try (Stream<Path> files = Files.list(RECORDED)) {
      return files
          .map(HonestAgentsTest::read)
          .flatMap(
              file ->
                  Stream.of(
                      recorded(file, "command", Optional.empty()),
                      recorded(file, "edit", Optional.empty()),
                      recorded(file, "edit", Optional.of("old\nmore\n"))))
          .toList();
    }
  }

  private static JsonNode read(Path file) {
    try {
      return MAPPER.readTree(Files.readString(file));
    } catch (IOException e) {
      throw new AssertionError(file.toString(), e);
    }
  }

  private static Recorded recorded(JsonNode file, String action, Optional<String> before) {
    return new Recorded(file.path("agent").asText(), action, file.path(action), before);
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void whatWasRecordedOfAgentsIsTheSameAction(Recorded recorded) throws IOException {
    AskedCalls calls = new AskedCalls(traits(recorded.agent()), FOLDER);
    Map<String, RawJson> known = new LinkedHashMap<>();
    Optional<Question.Permission> question = Optional.empty();
    for (JsonNode frame : recorded.shape().path("frames")) {
      Map<String, RawJson> said = said(frame, recorded);
      switch (frame.path("frame").asText()) {
        case "request_permission" -> {
          question = Optional.of(question(said, known));
          calls.asked(question.get());
          assertThat(calls.action(question.get()).notExact().isEmpty())
              .isEqualTo(recorded.shape().at("/question/exact").asBoolean());
        }
        case "answer" -> {
          assertThat(calls.allow(question.orElseThrow(), Optional.empty())).isPresent();
          calls.closed(question.orElseThrow());
        }
        default -> {
          known.putAll(said);
          assertSame(calls, known, said.keySet());
        }
      }
    }

    Map<String, RawJson> asked = question.orElseThrow().asked().members();
    assertSame(calls, asked, asked.keySet());
    known.putAll(question.orElseThrow().toolCall().members());
    assertSame(calls, known, known.keySet());
  }

  private static void assertSame(AskedCalls calls, Map<String, RawJson> known, Set<String> said) {
    CallUpdate update = new CallUpdate(new ToolCall("c1", known), said, List.of());
    assertThat(calls.takeDifference(update).filter(Difference::isCertain)).isEmpty();
  }

  private static Question.Permission question(
      Map<String, RawJson> said, Map<String, RawJson> known) {
    ObjectNode whole = MAPPER.createObjectNode();
    said.forEach((name, value) -> whole.withObject("/toolCall").set(name, value.jsonIfReadable()));
    return new Question.Permission(
        new ToolCall("c1", said),
        known.isEmpty() ? Optional.empty() : Optional.of(new ToolCall("c1", known)),
        List.of(new Question.Option("y", "Yes", Question.OptionKind.ALLOW_ONCE)),
        RawJson.of(whole),
        true);
  }

  private static Map<String, RawJson> said(JsonNode frame, Recorded recorded) {
    Map<String, RawJson> said = new LinkedHashMap<>();
    for (JsonNode member : frame.path("members")) {
      said.put(member.asText(), RawJson.of(member(member.asText(), frame, recorded)));
    }
    return said;
  }

  private static JsonNode member(String name, JsonNode frame, Recorded recorded) {
    ObjectNode made = MAPPER.createObjectNode();
    switch (name) {
      case "_meta" -> made.withObject("/_meta/claudeCode").put("toolName", "Tool");
      case "content" -> {
        made.putArray(name);
        frame
            .path(name)
            .forEach(type -> made.withArray(name).add(part(type.asText(), recorded.before())));
      }
      case "kind" -> made.put(name, recorded.action().equals("edit") ? "edit" : "execute");
      case "locations" -> made.putArray(name).addObject().put("path", FILE);
      case "rawInput" -> {
        made.putObject(name);
        frame
            .path("input")
            .forEach(
                member ->
                    made.withObject("/rawInput")
                        .set(member.asText(), input(member.asText(), recorded.before())));
      }
      case "status" -> made.set(name, frame.path("status"));
      default -> made.put(name, "ls -l");
    }
    return made.path(name);
  }

  private static JsonNode part(String type, Optional<String> before) {
    ObjectNode part = MAPPER.createObjectNode().put("type", type);
    switch (type) {
      case "diff" -> part.put("path", FILE).put("oldText", before.orElse("")).put("newText", "new");
      case "terminal" -> part.put("terminalId", "t1");
      default -> part.putObject("content").put("type", "text").put("text", "some words");
    }
    return part;
  }

  private static JsonNode input(String member, Optional<String> before) {
    ObjectNode made = MAPPER.createObjectNode();
    switch (member) {
      case "changes" -> {
        ObjectNode change = made.putObject(member).putObject(FILE);
        before.ifPresentOrElse(
            text -> change.put("type", "update").put("unified_diff", patch(text)),
            () -> change.put("type", "add").put("content", "new\n"));
      }
      case "command" -> made.putArray(member).add("bash").add("-lc").add("ls -l");
      case "content" -> made.put(member, "new");
      case "cwd" -> made.put(member, FOLDER.toString());
      case "diff" -> made.put(member, "--- a.txt\n+++ a.txt\n" + patch(before.orElse("")));
      case "filePath", "file_path", "filepath" -> made.put(member, FILE);
      default -> made.put(member, member);
    }
    return made.path(member);
  }

  private static String patch(String before) {
    String removed = before.lines().map(line -> "-" + line + "\n").reduce("", String::concat);
    return "@@ -1,2 +1 @@\n" + removed + "+new\n";
  }

  /** What differs in each call of some agents. */
  private static RequestTraits traits(String agent) throws IOException {
    Set<String> perCall = new HashSet<>();
    try (var data = RequestTraits.class.getResourceAsStream("requests.json")) {
      for (JsonNode known : MAPPER.readTree(data)) {
        if (known.path("programs").toString().contains(agent.split("-", -1)[0])) {
          known.at("/requests/perCall").forEach(name -> perCall.add(name.asText()));
        }
      }
    }
    return new RequestTraits(perCall, false);
  }
}
