package dev.bridle.harp.seal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/** A file of keys opens with its passphrase, and tells nobody else a secret. */
final class KeyFileTest {
  private static final char[] PASSPHRASE = "correct horse \u00e4".toCharArray();

  private final SecureRandom random = new SecureRandom();
  private final DeviceKeys keys = DeviceKeys.create(random);

  @Test
  void theSameKeysComeBack() throws Exception {
    byte[] file = KeyFile.seal(keys, PASSPHRASE, random);

    DeviceKeys read = KeyFile.open(file, PASSPHRASE);
    assertThat(read.publicHalves()).isEqualTo(keys.publicHalves());
    assertThat(read.signing().sign(file)).isEqualTo(keys.signing().sign(file));
    assertThat(KeyFile.publicHalves(file)).isEqualTo(keys.publicHalves());
    assertThat(new String(file, UTF_8) + read)
        .doesNotContain(Base64Url.encode(keys.seed()))
        .doesNotContain(Base64Url.encode(keys.agreement().secret()));
  }

  @Test
  void anotherPassphraseAndAChangedFileAreRefused() throws Exception {
    byte[] file = KeyFile.seal(keys, PASSPHRASE, random);
    assertRefused(HarpErrorCode.HASH_MISMATCH, file, "wrong".toCharArray());

    ObjectNode changed = HarpJson.parse(file, 10_000);
    ((ObjectNode) changed.get("device")).put("deviceId", "other");
    assertRefused(HarpErrorCode.HASH_MISMATCH, HarpJson.canonical(changed), PASSPHRASE);
    assertRefused(HarpErrorCode.TRANSPORT, "{}".getBytes(UTF_8), PASSPHRASE);
  }

  private static void assertRefused(HarpErrorCode code, byte[] file, char[] passphrase) {
    assertThatThrownBy(() -> KeyFile.open(file, passphrase))
        .isInstanceOfSatisfying(
            HarpException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }
}
