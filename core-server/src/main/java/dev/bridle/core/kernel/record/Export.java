package dev.bridle.core.kernel.record;

import com.google.protobuf.MessageLite;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * How records of a kind are exported.
 *
 * @param exported whether they are; credentials, secrets and what a server does by itself are not
 * @param phase the phase of a tenant's export in which each is a unit of its own; it stands in the
 *     cursors of exports, and so never changes. Empty where they come with what they belong to
 * @param shared whether an export of one session or task takes along those that it refers to
 * @param moved the record as it is in another tenant, whose id is given
 * @param <M> the record
 */
public record Export<M extends MessageLite>(
    boolean exported, Optional<String> phase, boolean shared, BiFunction<M, String, M> moved) {

  /** Returns that records are never exported. */
  static <M extends MessageLite> Export<M> never() {
    return new Export<>(false, Optional.empty(), false, (record, tenant) -> record);
  }

  /** Returns that records are exported with what they belong to. */
  static <M extends MessageLite> Export<M> along() {
    return new Export<>(true, Optional.empty(), false, (record, tenant) -> record);
  }

  /** Each record is a unit of its own in a phase of a tenant's export. */
  public Export<M> inPhase(String name) {
    return new Export<>(exported, Optional.of(name), shared, moved);
  }

  /** An export of one session or task takes along those that it refers to. */
  public Export<M> takenAlong() {
    return new Export<>(exported, phase, true, moved);
  }

  /** A record names its tenant, and so is another one in another tenant. */
  public Export<M> moved(BiFunction<M, String, M> toTenant) {
    return new Export<>(exported, phase, shared, toTenant);
  }
}
