package dev.bridle.proof.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.proof.sample.SampleKeys;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeySetTest {
  private static final String ID = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
  private static final String POINT = "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"";
  private static final String OKP = "\"kty\":\"OKP\",\"crv\":\"Ed25519\"";

  @Test
  void aSetIsReadAsItWasWritten() {
    KeySet read = KeySet.parse(SampleKeys.set().toJson());

    assertThat(read.keys()).isEqualTo(SampleKeys.set().keys()).hasSize(6);
    assertThat(read.find(SampleKeys.CURRENT.id())).isPresent();
    assertThat(read.find(SampleKeys.UNKNOWN.id())).isEmpty();
  }

  @Test
  void allTimesOfAKeyAreReadAndOtherMembersIgnored() {
    KeySet set =
        parse(
            key(
                POINT
                    + ",\"iat\":1,\"nbf\":2,\"exp\":3,\"alg\":\"EdDSA\","
                    + "\"revoked\":{\"revoked_at\":4}"));

    assertThat(set.find(ID).orElseThrow().validity())
        .isEqualTo(
            new KeyValidity(
                OptionalLong.of(1),
                OptionalLong.of(2),
                OptionalLong.of(3),
                Optional.of(new KeyValidity.Revocation(4, "unspecified", OptionalLong.empty()))));
  }

  @Test
  void aTimeIsAWholeNumberHoweverItIsWritten() {
    KeySet set = parse(key(POINT + ",\"nbf\":2.0,\"exp\":3e0"));

    assertThat(set.find(ID).orElseThrow().validity().notBefore()).hasValue(2);
    assertThat(set.find(ID).orElseThrow().validity().expiresAt()).hasValue(3);
  }

  @Test
  void keysOfOtherKindsAreLeftOut() {
    assertThat(parse("{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"1\"},{}").keys()).isEmpty();
  }

  @Test
  void aKeyThatIsNotNamedByItsThumbprintIsRejected() {
    assertThatThrownBy(() -> parse("{" + OKP + ",\"kid\":\"key_1\"," + POINT + "}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key_1")
        .hasMessageContaining(ID);
  }

  @Test
  void aKeyWithItsPrivateHalfIsRejectedAndNotShown() {
    assertThatThrownBy(() -> parse(key(POINT + ",\"d\":\"nWGx\"")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("private half")
        .message()
        .doesNotContain("nWGx");
  }

  @Test
  void aKeyThatIsThereTwiceIsRejected() {
    String key = key(POINT);

    assertThatThrownBy(() -> parse(key + "," + key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURp\"",
        "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=\"",
        "\"x\":\"AAAA\"",
        "\"y\":\"\"",
        "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"nbf\":\"1\"",
        "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"exp\":1.5",
        "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"exp\":1e300",
        "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"iat\":null",
        "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"revoked\":true",
        "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"revoked\":null",
        "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"revoked\":{}",
      })
  void malformedKeysAreRejected(String members) {
    assertThatThrownBy(() -> parse(key(members))).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNoSetIsRejected() {
    assertThatThrownBy(() -> KeySet.parse("{}".getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keys");
    assertThatThrownBy(() -> KeySet.parse("keys".getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aKeyCountsFromItsFirstSecondUntilBeforeItsEnd() {
    KeyValidity validity = KeyValidity.between(10, 20);

    assertThat(validity.faultAt(9)).isPresent();
    assertThat(validity.faultAt(10)).isEmpty();
    assertThat(validity.faultAt(19)).isEmpty();
    assertThat(validity.faultAt(20)).isPresent();
    assertThat(KeyValidity.UNBOUNDED.faultAt(Long.MIN_VALUE)).isEmpty();
  }

  @Test
  void onlyASupersededKeyCountsForWhatItSignedBefore() {
    KeyValidity validity = KeyValidity.between(10, 20);

    assertThat(validity.revoked(15, "superseded").faultAt(14)).isEmpty();
    assertThat(validity.revoked(15, "superseded").faultAt(15)).isPresent();
    for (String reason : List.of("compromised", "unspecified", "")) {
      assertThat(validity.revoked(15, reason).faultAt(14)).isPresent();
    }
  }

  private static String key(String members) {
    return "{" + OKP + ",\"kid\":\"" + ID + "\"," + members + "}";
  }

  private static KeySet parse(String keys) {
    return KeySet.parse(("{\"keys\":[" + keys + "]}").getBytes(UTF_8));
  }
}
