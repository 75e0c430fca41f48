package dev.bridle.storage;

/**
 * One stored pair. The arrays belong to the reader that receives them; engines never keep them.
 *
 * @param key the key's bytes, as stored
 * @param value the value's bytes, as stored
 */
@SuppressWarnings(
    "ArrayRecordComponent") // Compared by nobody; wrapping each array would double the garbage of a
// scan.
public record KeyValue(byte[] key, byte[] value) {}
