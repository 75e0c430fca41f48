package dev.bridle.host.preset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.process.AgentEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an agent is started with.
 *
 * @param arguments program and arguments
 * @param environment its variables
 * @param askingModes the modes in which it is made to ask; empty if nothing is known about the
 *     agent, and it may act without
 * @param mustAsk whether it has to ask, so that acting without is a fault
 * @param session how its sessions are opened
 * @param requests what is known of how it asks
 */
public record AgentStart(
    List<String> arguments,
    AgentEnvironment environment,
    Optional<Set<String>> askingModes,
    boolean mustAsk,
    SessionPreset session,
    RequestTraits requests) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Copies. */
  public AgentStart {
    arguments = List.copyOf(arguments);
    askingModes = askingModes.map(Set::copyOf);
  }

  /** Whether it is made to ask. */
  public boolean asks() {
    return askingModes.isPresent();
  }

  /**
   * Whether it has to ask for all that it does not claim to only read. A preset makes it ask for
   * commands, edits, deletions, moves and fetches; other tools of such agents do not ask.
   */
  public boolean asksForAll() {
    return mustAsk && !asks();
  }

  /** Arguments may be secrets. */
  @Override
  public String toString() {
    return "AgentStart[" + arguments.get(0) + ", " + environment + ", asks " + asks() + "]";
  }

  /**
   * Prepares the start of an agent that nothing makes ask.
   *
   * @param whole the environment of this process
   * @param named variables that a person has named for it
   */
  public static AgentStart unknown(
      List<String> command, Map<String, String> whole, Set<String> named) {
    return new AgentStart(
        command,
        AgentEnvironment.choose(whole, named, Map.of()),
        Optional.empty(),
        false,
        SessionPreset.NONE,
        KnownRequests.load().of(command));
  }

  /** Returns this start for an agent that has to ask, though nothing may make it. */
  public AgentStart havingToAsk() {
    return new AgentStart(arguments, environment, askingModes, true, session, requests);
  }

  /**
   * Prepares a start by a preset. Writes the preset's files anew, so that one that the agent has
   * changed has no effect on its next start.
   *
   * @param whole the environment of this process
   * @param named variables that a person has named for it, beside those that the preset passes
   * @param folder a folder that is the agent's alone, for the preset's files; it is made if it is
   *     not there
   * @throws IllegalArgumentException if the command has an argument that stops the agent from
   *     asking, or a variable holds no JSON object that has to
   * @throws IOException if a file can't be written
   */
  public static AgentStart of(
      AgentPreset preset,
      List<String> command,
      Map<String, String> whole,
      Set<String> named,
      Path folder)
      throws IOException {
    checkArguments(preset, command);
    List<String> arguments = new ArrayList<>(command);
    arguments.addAll(preset.appended());
    for (ArgumentFile file : preset.argumentFiles()) {
      arguments.add(file.argument());
      arguments.add(write(folder, file.name(), file.text()).toString());
    }
    Map<String, String> set = new HashMap<>(preset.set());
    for (Map.Entry<String, JsonNode> merged : preset.merged().entrySet()) {
      Optional<String> given = Optional.ofNullable(whole.get(merged.getKey()));
      set.put(merged.getKey(), merge(merged.getKey(), given, merged.getValue()));
    }
    for (Map.Entry<String, JsonNode> file : preset.files().entrySet()) {
      String name = file.getKey().toLowerCase(Locale.ROOT) + ".json";
      set.put(file.getKey(), write(folder, name, file.getValue().toPrettyString()).toString());
    }
    Set<String> passed = new HashSet<>(preset.passed());
    passed.addAll(named);
    return new AgentStart(
        arguments,
        AgentEnvironment.choose(whole, passed, set),
        Optional.of(preset.askingModes()),
        true,
        preset.session(),
        preset.requests());
  }

  private static void checkArguments(AgentPreset preset, List<String> command) {
    for (String argument : command.subList(1, command.size())) {
      String option = argument.replaceFirst("=.*", "");
      if (preset.refused().contains(option)) {
        throw new IllegalArgumentException(
            "The argument "
                + option
                + " of "
                + preset.name()
                + " decides whether it asks; leave it"
                + " out");
      }
    }
  }

  private static String merge(String name, Optional<String> given, JsonNode ours) {
    try {
      JsonNode theirs =
          given.isPresent() ? MAPPER.readTree(given.get()) : MAPPER.createObjectNode();
      if (!theirs.isObject()) {
        throw new IllegalArgumentException("The variable " + name + " must hold a JSON object");
      }
      overwrite((ObjectNode) theirs, ours);
      return theirs.toString();
    } catch (JsonProcessingException e) {
      // Not the cause, which quotes a value that may hold a key.
      throw new IllegalArgumentException("The variable " + name + " must hold a JSON object");
    }
  }

  /** Sets all of our members; objects are merged, all else is replaced. */
  private static void overwrite(ObjectNode theirs, JsonNode ours) {
    ours.properties()
        .forEach(
            member -> {
              JsonNode there = theirs.path(member.getKey());
              if (there.isObject() && member.getValue().isObject()) {
                overwrite((ObjectNode) there, member.getValue());
              } else {
                theirs.set(member.getKey(), member.getValue().deepCopy());
              }
            });
  }

  private static Path write(Path folder, String name, String text) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path fresh = Files.createTempFile(folder, "preset", ".tmp");
    Files.writeString(fresh, text);
    return Files.move(fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
