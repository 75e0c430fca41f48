package dev.bridle.proof.verify;

import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.ChainLink;
import dev.bridle.proof.receipt.ChainPosition;
import dev.bridle.proof.receipt.Receipt;
import java.util.Optional;

/** What the verifier of a chain keeps of each receipt. */
record ChainEntry(
    int position, String id, String session, ChainLink link, Optional<ChainPosition> place) {
  static ChainEntry of(int position, Receipt receipt) {
    return new ChainEntry(
        position,
        receipt.id(),
        receipt.identifiers().sessionId(),
        receipt.chain(),
        receipt.metadata(ChainPosition.MEMBER).flatMap(ChainPosition::parse));
  }

  Sha256 hash() {
    return link.receiptHash();
  }

  Optional<Sha256> previous() {
    return link.previousReceiptHash();
  }

  /** Returns the era; a chain that states none has one era. */
  long era() {
    return place.map(ChainPosition::era).orElse(0L);
  }

  ChainFault fault(ChainFault.Kind kind, String detail) {
    return new ChainFault(kind, position, id, detail);
  }
}
