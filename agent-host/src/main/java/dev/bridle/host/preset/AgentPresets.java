package dev.bridle.host.preset;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** The presets that come with Bridle, as data: {@code presets.json} beside this class. */
public final class AgentPresets {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  private final List<AgentPreset> presets;

  private AgentPresets(List<AgentPreset> presets) {
    this.presets = presets;
  }

  /** Reads them. */
  public static AgentPresets load() {
    try (InputStream data = AgentPresets.class.getResourceAsStream("presets.json")) {
      return new AgentPresets(List.of(MAPPER.readValue(data, AgentPreset[].class)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the preset of the agent that a command starts, by its program's name. */
  public Optional<AgentPreset> of(List<String> command) {
    return presets.stream().filter(preset -> preset.starts(command)).findFirst();
  }

  /** Returns the preset of a name. */
  public Optional<AgentPreset> named(String name) {
    return presets.stream().filter(preset -> preset.name().equals(name)).findFirst();
  }

  /** Returns all of them. */
  public List<AgentPreset> all() {
    return presets;
  }
}
