package dev.bridle.storage.kit;

import java.util.List;
import java.util.NavigableMap;

/** Runs a script on a sorted map. */
record ModelTarget(NavigableMap<String, String> pairs) implements ScriptTarget {
  @Override
  public String get(String name) {
    return pairs.getOrDefault(name, "none");
  }

  @Override
  public List<String> list(String from, String to, int limit, boolean reverse) {
    NavigableMap<String, String> part = pairs.subMap(from, true, to, false);
    return (reverse ? part.descendingMap() : part)
        .entrySet().stream().limit(limit).map(e -> e.getKey() + "=" + e.getValue()).toList();
  }

  @Override
  public void put(String name, String value) {
    pairs.put(name, value);
  }

  @Override
  public void clear(String name) {
    pairs.remove(name);
  }

  @Override
  public void clear(String from, String to) {
    pairs.subMap(from, true, to, false).clear();
  }
}
