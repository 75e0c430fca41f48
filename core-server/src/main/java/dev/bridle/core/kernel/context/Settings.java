package dev.bridle.core.kernel.context;

import java.util.HashMap;
import java.util.Map;

/** The options of a core, by options type: each feature looks up its own. */
public final class Settings {
  private final Map<Class<?>, Record> bySubject;

  private Settings(Map<Class<?>, Record> bySubject) {
    this.bySubject = Map.copyOf(bySubject);
  }

  /** Creates settings from these options. */
  public static Settings of(Record... options) {
    Map<Class<?>, Record> bySubject = new HashMap<>();
    for (Record each : options) {
      bySubject.put(each.getClass(), each);
    }
    return new Settings(bySubject);
  }

  /**
   * Returns the options of a type.
   *
   * @throws IllegalArgumentException if there are none
   */
  public <T extends Record> T get(Class<T> subject) {
    Record options = bySubject.get(subject);
    if (options == null) {
      throw new IllegalArgumentException("There are no " + subject.getSimpleName());
    }
    return subject.cast(options);
  }
}
