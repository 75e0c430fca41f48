package dev.bridle.proof.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StrictJsonTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "9007199254740991",
        "-9007199254740991",
        "1e300",
        "1e21",
        "-0",
        "-0.0",
        "1e-400",
        "0.1",
        "\"\\ud83d\\ude00\"",
        " \t\r\n[]\n",
        "null",
      })
  void whatEveryReaderReadsAlikeIsAccepted(String json) {
    byte[] canonical = CanonicalJson.bytes(parse(json));

    assertThat(CanonicalJson.bytes(StrictJson.parse(canonical))).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "9007199254740992 | beyond 2^53",
        "-9007199254740993 | beyond 2^53",
        "100000000000000000000000000000000000000000000000 | beyond 2^53",
        "1e17 | beyond 2^53",
        "9007199254740992.0 | beyond 2^53",
        "1e400 | beyond a double",
        "01 | not JSON",
        "[1,] | not JSON",
        "{\"a\":1,\"a\":1} | the same member twice",
        "{\"a\":1,\"\\u0061\":1} | the same member twice",
        "\"\\ud800\" | surrogate",
        "{\"\\udc00\":1} | not JSON",
        "[] [] | more text",
        "\"a | not JSON",
        "[1 | not JSON",
        "{\"a\" | not JSON",
        "{\"a\": | not JSON",
      })
  void whatReadersDisagreeAboutIsRejectedWithItsReason(String json, String reason) {
    assertThatThrownBy(() -> parse(json))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void anEmptyDocumentIsRejected() {
    assertThatThrownBy(() -> parse(""))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("empty");
  }

  @Test
  void aByteOrderMarkIsRejected() {
    assertThatThrownBy(() -> parse("\ufeff{}"))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("byte order mark");
  }

  @Test
  void otherEncodingsAreRejected() {
    assertThatThrownBy(
            () -> StrictJson.parse("{}".getBytes(java.nio.charset.StandardCharsets.UTF_16LE)))
        .isInstanceOf(InvalidJsonException.class);
    assertThatThrownBy(() -> StrictJson.parse(new byte[] {'"', (byte) 0xc0, (byte) 0xaf, '"'}))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void depthAndSizeAreBounded() {
    assertThat(parse("[".repeat(64) + "]".repeat(64)).isArray()).isTrue();
    assertThatThrownBy(() -> parse("[".repeat(65) + "]".repeat(65)))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("64 levels");
    assertThatThrownBy(() -> parse("[".repeat(StrictJson.MAX_BYTES)))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("64 levels");

    byte[] longest = new byte[StrictJson.MAX_BYTES];
    Arrays.fill(longest, (byte) ' ');
    longest[0] = '1';
    assertThat(StrictJson.parse(longest).intValue()).isEqualTo(1);
    assertThatThrownBy(() -> StrictJson.parse(Arrays.copyOf(longest, longest.length + 1)))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("Expected at most 1048576");
  }

  @Test
  void aLongNumberIsReadAndNeverQuoted() {
    assertThat(parse("0." + "3".repeat(100_000)).doubleValue()).isEqualTo(1.0 / 3);
    assertThatThrownBy(() -> parse("1" + "0".repeat(100_000)))
        .isInstanceOf(InvalidJsonException.class)
        .message()
        .doesNotContain("000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "swordfish",
        "{\"a\":\n swordfish}",
        "[1,\nswordfish\nb.json: valid",
        "\"swordfish",
        "\"\\swordfish\"",
        "\"\nswordfish\"",
        "{\"swordfish\":1,\"swordfish\":1}",
        "\"swordfish\\ud800\"",
        "[9007199254740993]",
      })
  void aMessageNamesTheLineAndColumnAndQuotesNothing(String json) {
    assertThatThrownBy(() -> parse(json))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageMatching("[A-Za-z0-9 ,^-]+ \\(line [0-9]+, column [0-9]+\\)\\.")
        .hasMessageNotContainingAny("swordfish", "9007199254740993", "REDACTED", "b.json")
        .hasNoCause();
  }

  @Test
  void aMessagePointsToTheFault() {
    assertThatThrownBy(() -> parse("{\n  \"a\": x}"))
        .hasMessageContaining("not JSON (line 2, column ");
  }

  private static com.fasterxml.jackson.databind.JsonNode parse(String json) {
    return StrictJson.parse(json.getBytes(UTF_8));
  }
}
