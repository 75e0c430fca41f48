package dev.bridle.core.operations.check.finding;

import dev.bridle.storage.layer.RowKey;

/**
 * A stored row.
 *
 * @param raw the key's bytes
 * @param key the parsed key
 * @param value the value
 */
@SuppressWarnings("ArrayRecordComponent") // short-lived, never compared
public record Row(byte[] raw, RowKey key, byte[] value) {}
