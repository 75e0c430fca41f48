package dev.bridle.core.kernel.configuration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.configuration.Configurations.Known;
import dev.bridle.core.kernel.configuration.Configurations.Place;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What is remembered of one version of a tenant's configuration. */
final class Memory {
  /** Remembers nothing. */
  static final Memory NONE =
      new Memory(Caffeine.newBuilder().maximumSize(0).build(), Optional.empty());

  private final Cache<Place, Known> known;
  private final Optional<Version> version;

  /**
   * Creates a view.
   *
   * @param stamp the version; empty where there is none, so that nothing is remembered
   */
  Memory(Cache<Place, Known> known, Optional<byte[]> stamp) {
    this.known = known;
    this.version = stamp.map(Version::of);
  }

  /** Returns what was read from a place at this version, or reads it now. */
  <M extends MessageLite> List<M> get(Place place, Supplier<List<M>> read) {
    if (version.isEmpty()) {
      return read.get();
    }
    Known before = known.getIfPresent(place);
    if (before != null && before.version().equals(version.get())) {
      @SuppressWarnings("unchecked") // A place names the kind, which has one type.
      List<M> records = (List<M>) before.records();
      return records;
    }
    List<M> records = List.copyOf(read.get());
    known.put(place, new Known(version.get(), records));
    return records;
  }
}
