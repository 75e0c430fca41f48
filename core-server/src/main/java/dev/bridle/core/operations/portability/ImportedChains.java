package dev.bridle.core.operations.portability;

import dev.bridle.record.v1.ReceiptChainRecord;

/** Joins the stored end of a chain of receipts with one that is imported. */
final class ImportedChains {
  private ImportedChains() {}

  /** Returns the longer one, which the next receipt follows. */
  static byte[] join(byte[] stored, byte[] imported) {
    ReceiptChainRecord here = TransferStores.parse(ReceiptChainRecord.parser(), stored);
    ReceiptChainRecord there = TransferStores.parse(ReceiptChainRecord.parser(), imported);
    ReceiptChainRecord longer = there.getCount() > here.getCount() ? there : here;
    return longer.toByteArray();
  }
}
