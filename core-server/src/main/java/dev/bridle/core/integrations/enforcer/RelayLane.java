package dev.bridle.core.integrations.enforcer;

import java.util.concurrent.Executor;

/**
 * A relay, and what calls it: each relay elsewhere has threads of its own, so that a slow one holds
 * up nothing but its own requests.
 *
 * @param name the name by which the operator has configured it; empty for the server's own
 * @param port the relay
 * @param executor runs the work on its requests
 */
public record RelayLane(String name, RelayPort port, Executor executor) {}
