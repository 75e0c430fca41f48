package dev.bridle.storage.embedded;

import java.util.Arrays;
import org.pcollections.TreePMap;

/**
 * An immutable snapshot of an {@link InMemoryStore}. Taking one is free, and any number of stores
 * may start from it.
 */
public final class StoreImage {
  /** The empty image. */
  public static final StoreImage EMPTY =
      new StoreImage(new MemoryVersion(1, TreePMap.empty(Arrays::compareUnsigned)));

  private final MemoryVersion version;

  StoreImage(MemoryVersion version) {
    this.version = version;
  }

  MemoryVersion version() {
    return version;
  }
}
