package dev.bridle.core.operations.portability;

import dev.bridle.record.v1.ReceiptChainRecord;

/** Joins the stored end of a chain of receipts with one that is imported. */
final class ImportedChains {
  private ImportedChains() {}

  /** Returns the longer one, which the next receipt follows. */
  static byte[] join(byte[] stored, byte[] imported) {
    return isLonger(imported, stored) ? imported : stored;
  }

  /** Returns the end of a chain as it is stored: nobody here knows whether it goes on elsewhere. */
  static byte[] marked(byte[] imported) {
    return TransferStores.parse(ReceiptChainRecord.parser(), imported).toBuilder()
        .setImported(true)
        .build()
        .toByteArray();
  }

  /** Returns whether a chain has more receipts than another. */
  static boolean isLonger(byte[] one, byte[] other) {
    return count(one) > count(other);
  }

  private static long count(byte[] chain) {
    return TransferStores.parse(ReceiptChainRecord.parser(), chain).getCount();
  }
}
