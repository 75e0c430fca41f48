package dev.bridle.core.operations.portability;

import dev.bridle.record.v1.ReceiptChainRecord;

/** Joins the stored end of a chain of receipts with one that is imported. */
final class ImportedChains {
  private ImportedChains() {}

  /** Returns the longer one, which the next receipt follows. */
  static byte[] join(byte[] stored, byte[] imported) {
    return isLonger(imported, stored) ? imported : stored;
  }

  /**
   * Returns the end of a chain as it is stored: nobody here knows whether it goes on elsewhere.
   *
   * @param isVerified whether the file is verified
   */
  static byte[] marked(byte[] imported, boolean isVerified) {
    ReceiptChainRecord chain = TransferStores.parse(ReceiptChainRecord.parser(), imported);
    return chain.toBuilder()
        .setImported(true)
        .setImportedCount(chain.getCount())
        .setUnverified(chain.getUnverified() || !isVerified)
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
