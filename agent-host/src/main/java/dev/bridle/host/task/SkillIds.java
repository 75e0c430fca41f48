package dev.bridle.host.task;

import dev.bridle.host.bridge.Skills;
import java.util.Map;
import java.util.Optional;

/** The ids of a host's skills by their names, read once they are needed. For one thread. */
final class SkillIds {
  private final Skills skills;
  private Optional<Map<String, String>> known = Optional.empty();

  SkillIds(Skills skills) {
    this.skills = skills;
  }

  /** Returns the id of a skill; empty if there is none of that name. */
  Optional<String> of(String name) {
    if (known.isEmpty()) {
      known = Optional.of(skills.ids());
    }
    return Optional.ofNullable(known.get().get(name));
  }
}
