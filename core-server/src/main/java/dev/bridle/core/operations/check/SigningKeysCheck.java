package dev.bridle.core.operations.check;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.record.v1.MasterKeyRecord;
import dev.bridle.record.v1.SigningKeyRecord;
import dev.bridle.storage.layer.SystemSpace;
import java.util.Optional;

/**
 * Every signing key can be read, and is a pair whose private half is sealed. Nothing is opened: the
 * checker has no master key.
 */
final class SigningKeysCheck implements Check {
  private static final int PUBLIC_BYTES = 32;

  /** A sealed value is the private half, and what the seal adds. */
  private static final int SEALED_BYTES = 32 + 33;

  @Override
  public void run(CheckScope scope) {
    scope.walk().step("signing keys");
    RowCheck.each(
        scope,
        scope.rows().below(SystemSpace.SIGNING_KEY),
        (tr, row) ->
            sound(row.value())
                ? Optional.empty()
                : Optional.of(
                    Fault.of(
                        FaultKind.VALUE_DAMAGED,
                        "",
                        row.key().spelled(),
                        "A signing key can't be read, or lacks one of its halves.")));
  }

  private static boolean sound(byte[] value) {
    try {
      SigningKeyRecord key = SigningKeyRecord.parseFrom(value);
      return key.getPublicKey().size() == PUBLIC_BYTES
          && key.getSealedPrivateKey().size() == SEALED_BYTES
          && key.getCreatedAt() > 0
          && (key.getRetiredAt() == 0) == (key.getEndsAt() == 0);
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
  }

  /** Returns whether a value says which master key seals. */
  static boolean masterKey(byte[] value) {
    try {
      return !MasterKeyRecord.parseFrom(value).getProof().isEmpty();
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
  }
}
