package dev.bridle.core.operations.check.receipt;

import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.record.v1.ReceiptKeyState;

/**
 * Names the keys of other installations of which nobody has said here whose they are. That is no
 * fault of the storage, but what they have signed is not proven to come from there.
 */
public final class ImportedKeysCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope
        .store()
        .read(tr -> new ImportedKeys(scope.layout()).all(tr, scope.tenant()))
        .forEach(key -> name(scope, key));
  }

  private static void name(CheckScope scope, ReceiptKeyRecord key) {
    if (key.getState() == ReceiptKeyState.RECEIPT_KEY_STATE_CONFIRMED) {
      return;
    }
    String how =
        ImportedKeys.isConfirmed(key)
            ? "an earlier release has imported it without asking whose it is, and it counts as"
                + " confirmed."
            : "nobody has confirmed it.";
    scope
        .findings()
        .notChecked(
            "Where the receipts of tenant "
                + scope.tenant()
                + " come from that the key "
                + key.getId()
                + " has signed is not checked: "
                + how
                + " 'bridle receipt keys --trust "
                + key.getId()
                + "' confirms it.");
  }
}
