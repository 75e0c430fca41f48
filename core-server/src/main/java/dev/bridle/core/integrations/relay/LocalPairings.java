package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.EnrolmentOrder;
import dev.bridle.record.v1.PairingRecord;
import dev.bridle.relay.v1.PairingOffer;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** The pairings of the enforcer beside the relay, which nobody else may begin. */
public final class LocalPairings {
  private final CoreContext context;
  private final Pairings rules;
  private final PairingStore pairings;
  private volatile Consumer<String> enrolled = tenant -> {};

  LocalPairings(CoreContext context, Pairings rules, PairingStore pairings) {
    this.context = context;
    this.rules = rules;
    this.pairings = pairings;
  }

  /**
   * A pairing that has begun.
   *
   * @param record the pairing
   * @param code what a person types
   */
  public record Begun(PairingRecord record, String code) {
    /** Leaves the code out. */
    @Override
    public String toString() {
      return "Begun[" + record.getNonce() + "]";
    }
  }

  /**
   * Begins a pairing in a tenant.
   *
   * @param offer what the enforcer says of itself
   * @param order makes the order for the nonce of the pairing
   */
  public Begun begin(
      String tenant, PairingOffer offer, BiFunction<Write, String, EnrolmentOrder> order) {
    Pairings.Initiated begun =
        context
            .commands()
            .once(
                tenant,
                LocalRelay.ACTOR,
                write ->
                    rules.initiate(
                        write,
                        offer.toBuilder().setEnforcerId(LocalRelay.ENFORCER).build(),
                        record -> record.setOrder(order.apply(write, record.getNonce()))));
    return new Begun(begun.record(), begun.code());
  }

  /** Sets who hears, after the commit, of a tenant in which a phone was enrolled. */
  public void onEnrolled(Consumer<String> listener) {
    enrolled = listener;
  }

  /** Says that a phone was enrolled by a pairing, if one was. */
  public void heard(String tenant, PairingRecord pairing) {
    if (!pairing.getApprovalDeviceId().isEmpty()) {
      enrolled.accept(tenant);
    }
  }

  /** Returns a pairing that has an order; {@code resource_not_found} otherwise. */
  public PairingRecord need(ReadTransaction tr, String tenant, String nonce) {
    Optional<PairingRecord> found = pairings.get(tr, tenant, nonce);
    return found
        .filter(PairingRecord::hasOrder)
        .orElseThrow(() -> ProtocolException.notFound("approval_device_pairing", nonce));
  }

  /** Stores a completed pairing whose device was enrolled after that. */
  public void enrolled(Write write, PairingRecord before, PairingRecord after) {
    pairings.confirm(write, before, after);
  }
}
