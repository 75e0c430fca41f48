package dev.bridle.harp.pairing;

import static dev.bridle.harp.pairing.PairingSamples.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.harp.error.HarpErrorCode;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Codes that people type are read however they are typed, and no other text is one. */
final class CodesTest {
  private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  @Test
  void theShortCodeIsThatOfTheVector() throws Exception {
    ShortCode code = ShortCode.of(PairingSamples.transcript());

    assertThat(code.text()).isEqualTo(PairingSamples.SHORT_CODE);
    assertThat(code.grouped()).isEqualTo("6MGN-9AQ4-CJSW-EXVA");
    assertThat(code).hasToString(code.grouped());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "6MGN9AQ4CJSWEXVA",
        "6mgn9aq4cjswexva",
        "6mgn-9AQ4-cjsw-EXVA",
        " 6MGN 9AQ4 CJSW EXVA ",
        "6-M-G-N--9AQ4 - CJSWEXVA-",
      })
  void aShortCodeIsReadHoweverItIsTyped(String typed) throws Exception {
    ShortCode code = ShortCode.parse(typed);

    assertThat(code).isEqualTo(ShortCode.of(PairingSamples.transcript()));
    assertThat(code).hasSameHashCodeAs(ShortCode.of(PairingSamples.transcript()));
    code.verify(PairingSamples.transcript());
  }

  @Test
  void eachChangedCharacterOfAShortCodeIsRefused() throws Exception {
    String right = PairingSamples.SHORT_CODE;
    for (int at = 0; at < right.length(); at++) {
      char other = DIGITS.charAt((DIGITS.indexOf(right.charAt(at)) + 1) % DIGITS.length());
      ShortCode changed = ShortCode.parse(right.substring(0, at) + other + right.substring(at + 1));

      assertRefused(
          HarpErrorCode.HASH_MISMATCH,
          "short_code",
          () -> changed.verify(PairingSamples.transcript()));
      assertThat(changed).isNotEqualTo(ShortCode.parse(right));
    }
  }

  @Test
  void aCodeHasOneSpelling() {
    for (String other : new String[] {"", "0123456", "abcdefgh", "0123-4567", "OOOOOOOO"}) {
      assertThatThrownBy(() -> new PairingCode(other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageNotContaining(other.isEmpty() ? "\0" : other);
      assertThatThrownBy(() -> new ShortCode(other)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "01234567, 01234567",
    "oO23-ilIL, 00231111",
    "abcd efgh, ABCDEFGH",
    "jkmn-pqrs, JKMNPQRS",
    "tvwx yz99, TVWXYZ99",
  })
  void aPairingCodeIsReadHoweverItIsTyped(String typed, String text) throws Exception {
    PairingCode code = PairingCode.parse(typed);

    assertThat(code.text()).isEqualTo(text);
    assertThat(code.grouped()).isEqualTo(text.substring(0, 4) + "-" + text.substring(4));
    assertThat(code).isEqualTo(PairingCode.parse(text)).hasSameHashCodeAs(PairingCode.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--------",
        "0123456",
        "012345678",
        "0123456U",
        "0123456u",
        "0123_4567",
        "0123\t4567",
        "0123+4567",
        "0123\u00a04567",
        "0123\u20134567",
        // Letters whose upper or lower case is ASCII, and digits that are not.
        "0123456\u0131",
        "0123456\u017f",
        "0123456\u212a",
        "0123456\u0661",
      })
  void whatIsNoCodeIsRefused(String typed) {
    assertRefused(HarpErrorCode.TRANSPORT, "schema", () -> PairingCode.parse(typed));
    assertRefused(HarpErrorCode.TRANSPORT, "schema", () -> ShortCode.parse("01234567" + typed));
  }

  @Test
  void pairingCodesAreRandomAndNotShownInLogs() throws Exception {
    SecureRandom random = new SecureRandom();
    Set<String> codes = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      PairingCode code = PairingCode.create(random);
      codes.add(code.text());
      assertThat(code.text()).hasSize(PairingCode.LENGTH);
      assertThat(PairingCode.parse(code.grouped())).isEqualTo(code);
      assertThat(code.toString()).doesNotContain(code.text(), code.grouped());
    }
    // Two equal ones among 1000 of 2^40 have a chance of less than one in a million.
    assertThat(codes).hasSize(1000);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void charactersAreTheDigitsOfTheBytesAsANumber(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = new byte[random.nextBoolean() ? 5 : 10];
      random.nextBytes(bytes);
      StringBuilder digits = new StringBuilder();
      BigInteger rest = new BigInteger(1, bytes);
      for (int length = bytes.length * Byte.SIZE / 5; length > 0; length--) {
        digits.insert(0, DIGITS.charAt(rest.intValue() & 31));
        rest = rest.shiftRight(5);
      }

      assertThat(Crockford.encode(bytes)).isEqualTo(digits.toString());
    }
  }

  @Test
  void charactersAreThoseOfTheVector() {
    assertThat(Crockford.encode(PairingSamples.bytes("00443214c7"))).isEqualTo("01234567");
  }
}
