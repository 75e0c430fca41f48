package dev.bridle.host.bridge;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The descriptions and bodies of the host's skills, which are read once until a skill changes.
 * Thread-safe.
 */
final class SkillTexts {
  /** How many bodies are read for one query at most; each may cost a call. */
  static final int MOST_READ = 500;

  /** How much of a body counts, in characters. */
  private static final int MOST_BODY = 64 << 10;

  private final Skills skills;
  private final Map<String, String> ids = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>();
  private Optional<String> state = Optional.empty();

  SkillTexts(Skills skills) {
    this.skills = skills;
  }

  /**
   * Returns the texts of those names that a skill of the host has; none if its skills can't be read
   * now. May wait for a server.
   */
  synchronized Map<String, String> of(Collection<String> names) {
    Optional<String> now = skills.state();
    if (now.isEmpty()) {
      return Map.of();
    }
    if (!now.equals(state)) {
      ids.clear();
      texts.clear();
      ids.putAll(skills.ids());
      state = now;
    }
    Map<String, String> found = new HashMap<>();
    int read = 0;
    for (String name : names) {
      String id = ids.get(name);
      if (id != null && !texts.containsKey(name) && read++ < MOST_READ) {
        texts.put(name, skills.fetch(id).map(SkillTexts::text).orElse(""));
      }
      Optional.ofNullable(texts.get(name)).ifPresent(text -> found.put(name, text));
    }
    return found;
  }

  private static String text(SkillManifest skill) {
    String body = skill.body();
    return skill.description() + " " + body.substring(0, Math.min(MOST_BODY, body.length()));
  }
}
