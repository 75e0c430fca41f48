package dev.bridle.host.preset;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A program of an agent that shows a screen of its own where it is started as people usually do. It
 * speaks the Agent Client Protocol with a further argument only, or another program does for it.
 *
 * @param program its name
 * @param speaks the arguments with which it speaks the protocol; empty if it never does
 * @param command the command that does
 * @param npm the package of that command; blank if it comes with the program
 */
public record AgentScreen(String program, Set<String> speaks, String command, String npm) {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  /** Copies. */
  public AgentScreen {
    speaks = Set.copyOf(speaks);
  }

  /** Returns the screen that a command would show; empty if none is known. */
  public static Optional<AgentScreen> of(List<String> command) {
    return all().stream().filter(screen -> screen.isShownBy(command)).findFirst();
  }

  private static List<AgentScreen> all() {
    try (InputStream data = AgentScreen.class.getResourceAsStream("screens.json")) {
      return List.of(MAPPER.readValue(data, AgentScreen[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isShownBy(List<String> command) {
    return AgentPreset.isOneOf(Set.of(program), command)
        && command.stream().skip(1).noneMatch(speaks::contains);
  }
}
