package dev.bridle.storage.kit;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreLimits;

/** What an engine gives the suites. One store serves all tests; each test has keys of its own. */
public interface StoreHooks {

  /** Returns the open store. */
  KeyValueStore store();

  /** Closes the store, opens the same data again, and returns it. */
  KeyValueStore reopen();

  /** Returns how long a key may be: less where the store puts a prefix before its keys. */
  default int longestKey() {
    return StoreLimits.MAX_KEY_BYTES;
  }
}
