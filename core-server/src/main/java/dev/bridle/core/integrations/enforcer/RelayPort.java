package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A relay as its enforcer uses it. It is trusted with delivery alone: what it gives back is
 * verified. All calls may be repeated. They fail with an exception of any kind where the relay
 * can't be reached, and with a {@link RelayRefusal} where it refuses; all but {@link #decision}
 * block.
 */
public interface RelayPort {
  /** Returns the id by which the relay knows this enforcer. */
  String enforcerId();

  /**
   * Returns whether the relay says by itself that a request was decided. One that does not is asked
   * all the time, by {@link #decision}, which then may wait for the decision.
   */
  boolean reportsDecisions();

  /** Submits an {@code artifact.submit} envelope. */
  void submit(String tenant, ByteString envelope);

  /**
   * Looks for the {@code decision.deliver} envelope of a request. Completes with it, or with
   * nothing if there is none yet; a relay may take some seconds to say so.
   */
  CompletableFuture<Optional<ByteString>> decision(String tenant, String requestId);

  /**
   * Takes a request back; does nothing if it has ended, or was never submitted.
   *
   * @param end how the question has ended, signed, for its device; empty if that is not known
   */
  void withdraw(String tenant, String requestId, String reason, ByteString end);

  /**
   * Says that the decision of a request has been processed, and need not be delivered again.
   *
   * @param delivered the envelope that {@link #decision} has returned
   */
  void acknowledge(String tenant, String requestId, ByteString delivered);
}
