package dev.bridle.core.operations.check;

import dev.bridle.storage.layer.RowKey;

/**
 * A stored row.
 *
 * @param raw the key's bytes
 * @param key the key, taken apart
 * @param value the value
 */
@SuppressWarnings("ArrayRecordComponent") // Read while a page is looked at, and compared by nobody.
record Row(byte[] raw, RowKey key, byte[] value) {}
