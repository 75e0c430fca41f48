package dev.bridle.storage.kit;

import dev.bridle.storage.KeyValueStore;

/** What an engine gives the suites. One store serves all tests; each test has keys of its own. */
public interface StoreHooks {

  /** Returns the open store. */
  KeyValueStore store();

  /** Closes the store, opens the same data again, and returns it. */
  KeyValueStore reopen();

  /** Returns how many bytes the store puts before each key, which may be so much shorter. */
  default int prefixBytes() {
    return 0;
  }
}
