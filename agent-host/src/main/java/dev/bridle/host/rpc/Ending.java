package dev.bridle.host.rpc;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Why a peer ended: the first reason counts. Thread-safe. */
final class Ending {
  private final AtomicReference<PeerException> why = new AtomicReference<>();

  /** Returns the first reason, which is this one if there was none. */
  PeerException begin(PeerException reason) {
    return why.compareAndSet(null, reason) ? reason : why.get();
  }

  Optional<PeerException> why() {
    return Optional.ofNullable(why.get());
  }
}
