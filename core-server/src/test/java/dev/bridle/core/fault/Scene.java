package dev.bridle.core.fault;

import dev.bridle.storage.KeyValueStore;

/**
 * Where a scenario plays.
 *
 * @param store a store that holds a session and a vault, and nothing else but what each core makes
 * @param vault the id of the vault
 * @param session the id of the session, which has the vault
 */
record Scene(KeyValueStore store, String vault, String session) {
  Scene on(KeyValueStore other) {
    return new Scene(other, vault, session);
  }
}
