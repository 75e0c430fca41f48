package dev.bridle.storage.embedded;

import java.util.Arrays;
import org.pcollections.TreePMap;

/**
 * What a {@link InMemoryStore} held at one moment. It never changes, costs nothing to take, and any
 * number of stores may begin with it.
 */
public final class StoreImage {
  /** Nothing, as in a new store. */
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
