package dev.bridle.proof.receipt;

import java.util.Optional;

/** Where the work of a receipt was done; what a receipt leaves out is empty. */
public record Identifiers(
    Optional<String> tenantId,
    Optional<String> personaRef,
    String workspaceRef,
    String sessionId,
    String taskId,
    Optional<String> branchId,
    Optional<String> traceId) {}
