package dev.bridle.core.operations.check.resource;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.MasterKeyRecord;
import dev.bridle.record.v1.SigningKeyRecord;
import dev.bridle.storage.layer.SystemSpace;
import java.util.Optional;

/**
 * Checks that every signing key can be parsed and has a public and a sealed private half. Nothing
 * is unsealed: the checker has no master key.
 */
public final class SigningKeysCheck implements Check {
  private static final int PUBLIC_BYTES = 32;

  /** The length of a sealed private key: the key and the overhead of the seal. */
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

  /** Returns whether a value identifies a master key. */
  public static boolean masterKey(byte[] value) {
    try {
      return !MasterKeyRecord.parseFrom(value).getProof().isEmpty();
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
  }
}
