package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import java.util.Optional;

/**
 * A relay as its enforcer uses it. It is trusted with delivery alone: what it gives back is
 * verified. All calls may be repeated, and block; they fail with an exception of any kind where the
 * relay can't be reached, or refuses.
 */
public interface RelayPort {
  /** Submits an {@code artifact.submit} envelope. */
  void submit(String tenant, ByteString envelope);

  /** Returns the {@code decision.deliver} envelope of a request, once there is one. */
  Optional<ByteString> decision(String tenant, String requestId);

  /** Takes a request back; does nothing if it has ended, or was never submitted. */
  void withdraw(String tenant, String requestId, String reason);

  /** Says that the decision of a request has been processed, and need not be delivered again. */
  void acknowledge(String tenant, String requestId);
}
