package dev.bridle.storage.layer;

/**
 * Something to be looked at.
 *
 * @param dueMillis when, in Unix milliseconds
 * @param kind what it is about
 * @param tenant whose it is
 * @param id what it is
 */
public record DueEntry(long dueMillis, DueKind kind, String tenant, String id) {}
