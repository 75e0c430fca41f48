package dev.bridle.host.bridge;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The skills that a host offers to a runtime. All methods may wait for a server. */
public interface Skills {
  /** Returns all of them, without bodies. */
  List<SkillManifest> list();

  /** Returns one with its body. */
  Optional<SkillManifest> fetch(String id);

  /** Returns a text that is another one once a skill has changed; empty if that is unknown. */
  Optional<String> state();

  /** Returns the ids of all by their names; none if they can't be read. */
  default Map<String, String> ids() {
    return list().stream()
        .collect(
            Collectors.toMap(SkillManifest::name, SkillManifest::id, (first, second) -> first));
  }

  /** Offers nothing. */
  static Skills none() {
    return new Skills() {
      @Override
      public List<SkillManifest> list() {
        return List.of();
      }

      @Override
      public Optional<SkillManifest> fetch(String id) {
        return Optional.empty();
      }

      @Override
      public Optional<String> state() {
        return Optional.of("");
      }
    };
  }
}
