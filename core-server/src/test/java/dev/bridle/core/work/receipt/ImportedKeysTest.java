package dev.bridle.core.work.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.record.v1.ReceiptKeyRecord;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is stored of a key that comes with an import. */
class ImportedKeysTest {
  private static final byte[] PUBLIC =
      SigningKey.ofSeed(new byte[32]).verificationKey(KeyValidity.UNBOUNDED).publicKey();
  private static final long MADE = 5_000_000_000L;

  private static ReceiptKeyRecord brought(long retiredAt) {
    return ReceiptKeyRecord.newBuilder()
        .setId(VerificationKey.of(PUBLIC, KeyValidity.UNBOUNDED).id())
        .setPublicKey(ByteString.copyFrom(PUBLIC))
        .setCreatedAt(MADE)
        .setRetiredAt(retiredAt)
        .build();
  }

  private static ReceiptKeyRecord joined(KeyValidity given) {
    return ImportedKeys.joined(
        Optional.empty(),
        brought(0),
        Optional.of(VerificationKey.of(PUBLIC, given)),
        Optional.empty());
  }

  @Test
  void whenAKeyWasMadeIsWhatTheOperatorSaysAndNotTheFile() {
    assertThat(ImportedKeys.verificationKey(joined(KeyValidity.UNBOUNDED)).validity())
        .isEqualTo(KeyValidity.UNBOUNDED);
    for (KeyValidity given :
        new KeyValidity[] {
          from(OptionalLong.empty(), OptionalLong.of(1000)),
          from(OptionalLong.of(1300), OptionalLong.of(1000)),
        }) {
      assertThat(ImportedKeys.verificationKey(joined(given)).validity().notBefore()).hasValue(1000);
    }
  }

  private static KeyValidity from(OptionalLong issuedAt, OptionalLong notBefore) {
    return new KeyValidity(issuedAt, notBefore, OptionalLong.empty(), Optional.empty());
  }

  @Test
  void theEarlierOfTwoTimesAtWhichAKeyWasRetiredHolds() {
    for (long[] times : new long[][] {{7000, 9000}, {9000, 7000}, {0, 7000}, {7000, 0}}) {
      ReceiptKeyRecord there = ImportedKeys.given(key()).toBuilder().setRetiredAt(times[0]).build();

      ReceiptKeyRecord joined =
          ImportedKeys.joined(
              Optional.of(there), brought(times[1]), Optional.of(key()), Optional.of("theirs"));

      assertThat(joined.getRetiredAt()).isEqualTo(7000);
    }
  }

  private static VerificationKey key() {
    return VerificationKey.of(PUBLIC, KeyValidity.UNBOUNDED);
  }
}
