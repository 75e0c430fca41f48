package dev.bridle.core.operations.check.finding;

/**
 * The size of a subspace.
 *
 * @param tenant the tenant; empty if it belongs to none
 * @param space the subspace's name in lower case; {@code unknown} for keys of none
 * @param keys the number of keys
 * @param bytes the size of keys and values in bytes, before compression
 */
public record SpaceSize(String tenant, String space, long keys, long bytes) {}
