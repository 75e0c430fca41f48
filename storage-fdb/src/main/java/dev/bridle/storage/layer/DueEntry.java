package dev.bridle.storage.layer;

/**
 * An entry of the due index.
 *
 * @param dueMillis when it is due, in Unix milliseconds
 * @param kind its kind
 * @param tenant its tenant
 * @param id the id of the resource
 */
public record DueEntry(long dueMillis, DueKind kind, String tenant, String id) {}
