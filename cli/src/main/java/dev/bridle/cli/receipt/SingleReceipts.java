package dev.bridle.cli.receipt;

import dev.bridle.proof.verify.ReceiptVerifier;

/** Verifies each receipt as if no other was known. */
final class SingleReceipts implements ReceiptSink {
  private final VerifyOutput output;

  SingleReceipts(VerifyOutput output) {
    this.output = output;
  }

  @Override
  public void verify(Place place, byte[] receipt, IssuerKeys keys) {
    output.print(LineResult.of(place, new ReceiptVerifier(keys.trust()).verify(receipt), keys));
  }
}
