package dev.bridle.core.kernel.record;

import dev.bridle.storage.layer.DueKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The definitions of all kinds of records that a core stores, in the order in which a tenant's
 * export takes them. What works on any record (storage check, export, import) is given one.
 */
public final class Catalog {
  private final Map<Long, RecordDef<?>> byNumber = new LinkedHashMap<>();
  private final Map<String, RecordDef<?>> byName = new LinkedHashMap<>();
  private final Map<DueKind, RecordDef<?>> byDueKind = new EnumMap<>(DueKind.class);

  private Catalog(List<RecordDef<?>> definitions) {
    for (RecordDef<?> def : definitions) {
      if (byNumber.put((long) def.number(), def) != null) {
        throw new IllegalArgumentException("Two kinds of records have number " + def.number());
      }
      if (byName.put(def.name(), def) != null) {
        throw new IllegalArgumentException("Two kinds of records are called " + def.name());
      }
      for (DueKind due : def.dueKinds()) {
        if (byDueKind.put(due, def) != null) {
          throw new IllegalArgumentException("Two kinds of records have due entries of " + due);
        }
      }
    }
    for (RecordDef<?> def : definitions) {
      def.referredTo().forEach(this::named);
    }
  }

  /**
   * Makes a catalog.
   *
   * @throws IllegalArgumentException if two have the same number, name or kind of due entries, or
   *     one refers to a kind that is not among them
   */
  public static Catalog of(List<RecordDef<?>> definitions) {
    return new Catalog(definitions);
  }

  /** Returns a catalog with more definitions, behind those of this one. */
  public Catalog with(List<RecordDef<?>> more) {
    List<RecordDef<?>> all = new ArrayList<>(all());
    all.addAll(more);
    return new Catalog(all);
  }

  /** Returns all definitions, in order. */
  public List<RecordDef<?>> all() {
    return List.copyOf(byNumber.values());
  }

  /** Returns the definition of a number in keys; empty where there is none. */
  public Optional<RecordDef<?>> find(long number) {
    return Optional.ofNullable(byNumber.get(number));
  }

  /** Returns the definition whose records have due entries of a kind; empty where there is none. */
  public Optional<RecordDef<?>> find(DueKind due) {
    return Optional.ofNullable(byDueKind.get(due));
  }

  /**
   * Returns the definition of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public RecordDef<?> named(String name) {
    RecordDef<?> def = byName.get(name);
    if (def == null) {
      throw new IllegalArgumentException("No kind of record is called " + name);
    }
    return def;
  }
}
