package dev.bridle.host.runtime;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.bridle.host.acp.SessionSettings;
import dev.bridle.host.preset.AgentPreset;
import dev.bridle.host.preset.AgentPresets;
import dev.bridle.host.task.ProcessBounds;
import dev.bridle.host.task.ProcessScope;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The file of a server's runtimes: a JSON object with one member, {@code runtimes}, which has an
 * object for each runtime by its name. What is not known is refused, so that a mistyped limit does
 * not leave a runtime without one.
 */
public final class RuntimeFile {
  private static final Set<String> MEMBERS =
      Set.of(
          "command",
          "preset",
          "must_ask",
          "env",
          "pass",
          "process",
          "login",
          "mode",
          "options",
          "tenant",
          "personas",
          "workspaces",
          "max_processes",
          "memory_mb",
          "idle_end",
          "tool_search_url");

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");
  private static final int MOST_RUNTIMES = 100;
  private static final int MOST_PROCESSES = 1000;
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(JsonParser.Feature.ALLOW_COMMENTS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private RuntimeFile() {}

  /**
   * Reads a file.
   *
   * @return the runtimes by their names, in the order of the file
   * @throws IllegalArgumentException with a sentence for the operator, which holds no value of a
   *     variable, if the file can't be read or says what can't be
   */
  public static Map<String, RuntimeSettings> read(Path file) {
    try {
      return parse(Files.readString(file));
    } catch (IOException e) {
      throw new IllegalArgumentException("The file " + file + " can't be read: " + e, e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /** Parses the content of a file, as {@link #read} does. */
  static Map<String, RuntimeSettings> parse(String text) {
    JsonNode whole;
    try {
      whole = MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      // Not the cause, which quotes a line that may hold a secret.
      throw new IllegalArgumentException(
          "no JSON at line " + e.getLocation().getLineNr() + ": " + e.getOriginalMessage());
    }
    if (!whole.isObject() || whole.size() != 1 || !whole.path("runtimes").isObject()) {
      throw new IllegalArgumentException("expected an object with one member, 'runtimes'");
    }
    if (whole.path("runtimes").size() > MOST_RUNTIMES) {
      throw new IllegalArgumentException("expected at most " + MOST_RUNTIMES + " runtimes");
    }
    Map<String, RuntimeSettings> read = new LinkedHashMap<>();
    whole
        .path("runtimes")
        .properties()
        .forEach(
            each -> read.put(each.getKey(), new Reader(each.getKey(), each.getValue()).read()));
    return read;
  }

  /** Reads one runtime. */
  private record Reader(String name, JsonNode json) {

    RuntimeSettings read() {
      if (!NAME.matcher(name).matches()) {
        throw wrong("is no name; it must match " + NAME);
      }
      if (!json.isObject()) {
        throw wrong("must be an object");
      }
      json.fieldNames()
          .forEachRemaining(
              member -> {
                if (!MEMBERS.contains(member)) {
                  throw wrong("has an unknown member '" + member + "'; known are " + sorted());
                }
              });
      List<String> command = texts("command");
      if (command.isEmpty() || command.get(0).isBlank()) {
        throw wrong("needs a command: a list of the program and its arguments");
      }
      return new RuntimeSettings(
          name,
          new RuntimeSettings.Launch(
              command,
              preset(),
              mustAsk(command),
              environment(),
              new LinkedHashSet<>(texts("pass")),
              scope(),
              chosen()),
          new RuntimeSettings.Tasks(
              text("tenant", "default"),
              new LinkedHashSet<>(texts("personas")),
              new LinkedHashSet<>(texts("workspaces"))),
          new ProcessBounds((int) number("max_processes", 4, MOST_PROCESSES), memory(), idleEnd()),
          address());
    }

    private static String sorted() {
      return String.join(", ", MEMBERS.stream().sorted().toList());
    }

    private Optional<String> preset() {
      if (!json.has("preset")) {
        return Optional.empty();
      }
      String said = text("preset", "");
      AgentPresets presets = AgentPresets.load();
      if (presets.named(said).isEmpty()) {
        throw wrong(
            "has an unknown preset '"
                + said
                + "'; known are "
                + String.join(", ", presets.all().stream().map(AgentPreset::name).toList()));
      }
      return Optional.of(said);
    }

    private boolean mustAsk(List<String> command) {
      AgentPresets presets = AgentPresets.load();
      boolean isMade = preset().isPresent() || presets.of(command).isPresent();
      JsonNode given = json.path("must_ask");
      if (given.isMissingNode()) {
        return isMade;
      }
      if (!given.isBoolean()) {
        throw wrong("needs true or false as must_ask");
      }
      if (isMade && !given.booleanValue()) {
        throw wrong("has must_ask false, but its preset always makes it ask; leave must_ask out");
      }
      return given.booleanValue();
    }

    private ProcessScope scope() {
      String said = text("process", "session");
      for (ProcessScope scope : ProcessScope.values()) {
        if (scope.spelled().equals(said)) {
          return scope;
        }
      }
      throw wrong("has process '" + said + "', expected task, session or daemon");
    }

    private OptionalLong memory() {
      return json.has("memory_mb")
          ? OptionalLong.of(number("memory_mb", 1, 1 << 20) << 20)
          : OptionalLong.empty();
    }

    private Duration idleEnd() {
      String said = text("idle_end", "10m");
      try {
        Duration time = Duration.parse("PT" + said);
        if (!time.isNegative() && !time.isZero()) {
          return time;
        }
      } catch (DateTimeParseException e) {
        // Said below.
      }
      throw wrong("has idle_end '" + said + "', expected a time such as 30s or 10m");
    }

    private Optional<URI> address() {
      if (!json.has("tool_search_url")) {
        return Optional.empty();
      }
      String said = text("tool_search_url", "");
      try {
        URI address = new URI(said);
        if (address.getHost() != null
            && (said.startsWith("http://") || said.startsWith("https://"))) {
          return Optional.of(address);
        }
      } catch (URISyntaxException e) {
        // Said below.
      }
      throw wrong("has a tool_search_url that is no address with http or https");
    }

    private SessionSettings chosen() {
      return new SessionSettings(
          json.has("login") ? Optional.of(text("login", "")) : Optional.empty(),
          json.has("mode") ? Optional.of(text("mode", "")) : Optional.empty(),
          byName("options", value -> value.isTextual() || value.isBoolean()));
    }

    private Map<String, String> environment() {
      return byName("env", JsonNode::isTextual);
    }

    private Map<String, String> byName(String member, Predicate<JsonNode> isValue) {
      JsonNode given = json.path(member);
      if (!given.isMissingNode() && !given.isObject()) {
        throw wrong("needs an object as " + member);
      }
      Map<String, String> read = new LinkedHashMap<>();
      given
          .properties()
          .forEach(
              each -> {
                if (!isValue.test(each.getValue())) {
                  throw wrong("needs a text as " + member + "." + each.getKey());
                }
                read.put(each.getKey(), each.getValue().asText());
              });
      return read;
    }

    private long number(String member, long otherwise, long most) {
      JsonNode given = json.path(member);
      if (given.isMissingNode()) {
        return otherwise;
      }
      if (!given.isIntegralNumber() || given.longValue() < 1 || given.longValue() > most) {
        throw wrong("needs a number from 1 to " + most + " as " + member);
      }
      return given.longValue();
    }

    private String text(String member, String otherwise) {
      JsonNode given = json.path(member);
      if (given.isMissingNode()) {
        return otherwise;
      }
      if (!given.isTextual() || given.textValue().isBlank()) {
        throw wrong("needs a text as " + member);
      }
      return given.textValue();
    }

    private List<String> texts(String member) {
      List<String> read = new ArrayList<>();
      JsonNode given = json.path(member);
      if (!given.isMissingNode() && !given.isArray()) {
        throw wrong("needs a list of texts as " + member);
      }
      for (JsonNode each : given) {
        if (!each.isTextual()) {
          throw wrong("needs a list of texts as " + member);
        }
        read.add(each.textValue());
      }
      return read;
    }

    private IllegalArgumentException wrong(String what) {
      return new IllegalArgumentException("runtime '" + name + "' " + what);
    }
  }
}
