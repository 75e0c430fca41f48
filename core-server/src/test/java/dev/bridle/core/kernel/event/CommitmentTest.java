package dev.bridle.core.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class CommitmentTest {
  private static final byte[] SALT = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

  @Test
  void isTheHashOfSaltAndAZeroByteAndThePayload() {
    ByteString commitment = Commitment.of(SALT, ByteString.copyFromUtf8("{\"text\":\"Hi\"}"));

    // hashlib.sha256(bytes(range(16)) + b'\0' + b'{"text":"Hi"}') in Python
    assertThat(Commitment.spell(commitment))
        .isEqualTo("sha256:ccfb75c84912e74b663aa7b2090061bad4c8b6b8e77f3631fc1b7a5aa31eeb4c");
  }
}
