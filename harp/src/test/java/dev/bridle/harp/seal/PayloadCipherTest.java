package dev.bridle.harp.seal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The vector of the draft of XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, A.3.1). */
final class PayloadCipherTest {
  private static final HexFormat HEX = HexFormat.of();

  @Test
  void theVectorOfTheDraftHoldsBothWays() throws Exception {
    byte[] plaintext =
        ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the"
                + " future, sunscreen would be it.")
            .getBytes(US_ASCII);
    PayloadCipher cipher =
        PayloadCipher.ofKey(
            HEX.parseHex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"));
    byte[] nonce = HEX.parseHex("404142434445464748494a4b4c4d4e4f5051525354555657");
    byte[] aad = HEX.parseHex("50515253c0c1c2c3c4c5c6c7");

    byte[] sealed = cipher.seal(plaintext, nonce, aad);

    byte[] ciphertext = Arrays.copyOf(sealed, plaintext.length);
    byte[] tag = Arrays.copyOfRange(sealed, plaintext.length, sealed.length);
    assertThat(HEX.formatHex(ciphertext))
        .isEqualTo(
            "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"
                + "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452"
                + "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
                + "21f9664c97637da9768812f615c68b13b52e");
    assertThat(HEX.formatHex(tag)).isEqualTo("c0875924c1c7987947deafd8780acf49");
    assertThat(cipher.open(ciphertext, tag, nonce, aad)).isEqualTo(plaintext);
  }
}
