package dev.bridle.core.operations.check;

/**
 * How much a subspace holds.
 *
 * @param tenant the tenant; empty for what belongs to none
 * @param space the subspace's name in lower case; {@code unknown} for keys of none
 * @param keys its keys
 * @param bytes the bytes of its keys and values, before any compression
 */
public record SpaceSize(String tenant, String space, long keys, long bytes) {}
