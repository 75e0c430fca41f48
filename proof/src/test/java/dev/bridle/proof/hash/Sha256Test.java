package dev.bridle.proof.hash;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class Sha256Test {
  private static final String ABC =
      "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void partsAreHashedOneAfterTheOther() {
    assertThat(Sha256.of("a".getBytes(US_ASCII), "bc".getBytes(US_ASCII))).hasToString(ABC);
  }

  @Test
  void aHashIsReadFromItsText() {
    assertThat(Sha256.parse(ABC)).contains(Sha256.of("abc".getBytes(US_ASCII)));
    assertThat(Sha256.ofBytes(Sha256.parse(ABC).orElseThrow().bytes())).hasToString(ABC);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sha256:",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha256:BA7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a",
        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ag",
        "sha512:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      })
  void otherTextsAreNoHash(String text) {
    assertThat(Sha256.parse(text)).isEmpty();
  }

  @Test
  void aHashHas32Bytes() {
    assertThatThrownBy(() -> Sha256.ofBytes(new byte[31]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
