package dev.bridle.host.preset;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;

/**
 * What is known of how agents ask that nothing makes ask, as data: {@code requests.json} beside
 * this class. It promises nothing of them.
 */
final class KnownRequests {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  private final List<Known> known;

  private KnownRequests(List<Known> known) {
    this.known = known;
  }

  /**
   * How an agent asks.
   *
   * @param programs the names of its program
   * @param requests how it asks, when it does
   */
  record Known(Set<String> programs, RequestTraits requests) {
    /** Copies. */
    Known {
      programs = Set.copyOf(programs);
    }
  }

  static KnownRequests load() {
    try (InputStream data = KnownRequests.class.getResourceAsStream("requests.json")) {
      return new KnownRequests(List.of(MAPPER.readValue(data, Known[].class)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns how the agent asks that a command starts. */
  RequestTraits of(List<String> command) {
    return known.stream()
        .filter(agent -> AgentPreset.isOneOf(agent.programs(), command))
        .findFirst()
        .map(Known::requests)
        .orElse(RequestTraits.NONE);
  }
}
