package dev.bridle.storage.layer;

import java.util.Set;

/**
 * Numbers in keys that earlier releases used. Old data may still contain them, so none is ever
 * reused. Field numbers of records are retired by {@code reserved} in their own messages.
 */
public final class RetiredNumbers {
  /** Of subspaces without a tenant. */
  public static final Set<Long> SYSTEM_SPACES = Set.of();

  /** Of a tenant's subspaces. */
  public static final Set<Long> TENANT_SPACES = Set.of();

  /** Of kinds of due entries. */
  public static final Set<Long> DUE_KINDS = Set.of();

  /** Of kinds of records. */
  public static final Set<Long> RECORD_KINDS = Set.of();

  private RetiredNumbers() {}
}
