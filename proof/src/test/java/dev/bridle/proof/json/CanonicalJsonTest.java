package dev.bridle.proof.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CanonicalJsonTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** The example of RFC 8785, section 3.2.2. */
  @Test
  void theExampleOfTheRfcIsWrittenAsThere() {
    String json =
        """
        {
          "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
          "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
          "literals": [null, true, false]
        }
        """;

    assertThat(canonical(json))
        .isEqualTo(
            "{\"literals\":[null,true,false],"
                + "\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
  }

  /** The example of RFC 8785, section 3.2.3. */
  @Test
  void membersAreSortedByTheirUtf16CodeUnits() {
    assertThat(
            canonical(
                "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,"
                    + "\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}"))
        .isEqualTo("{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}");
  }

  @Test
  void decimalsAreWrittenAsTheShortestNumberThatReadsBack() {
    assertThat(canonical(NODES.numberNode(BigDecimal.valueOf(184_200, 6)))).isEqualTo("0.1842");
    assertThat(canonical(NODES.numberNode(new BigDecimal("1.10")))).isEqualTo("1.1");
    assertThat(canonical(NODES.numberNode(new BigDecimal("1E+2")))).isEqualTo("100");
  }

  @Test
  void anIntegerIsWrittenTheSameWhateverItsNode() {
    assertThat(canonical(NODES.numberNode(7))).isEqualTo("7");
    assertThat(canonical(NODES.numberNode(7L))).isEqualTo("7");
    assertThat(canonical(NODES.numberNode(7.0))).isEqualTo("7");
    assertThat(canonical(NODES.numberNode(BigInteger.valueOf(7)))).isEqualTo("7");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, 9007199254740992.0, -1e20})
  void numbersThatReadersDisagreeAboutAreRejected(double number) {
    assertThatThrownBy(() -> CanonicalJson.bytes(NODES.numberNode(number)))
        .isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void integersBeyondDoublesAreRejected() {
    assertThatThrownBy(() -> CanonicalJson.bytes(NODES.numberNode(1L << 53)))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("beyond 2^53 - 1");
    assertThatThrownBy(() -> CanonicalJson.bytes(NODES.numberNode(BigInteger.TEN.pow(40))))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("beyond 2^53 - 1");
    assertThatThrownBy(() -> CanonicalJson.bytes(NODES.numberNode(new BigDecimal("1E+400"))))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("beyond a double");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "a\udfff", "\udc00\ud800", "\ud83d\ud83d\ude00"})
  void loneSurrogatesAreRejected(String text) {
    assertThatThrownBy(() -> CanonicalJson.bytes(NODES.textNode(text)))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("surrogate");
    assertThatThrownBy(() -> CanonicalJson.bytes(NODES.objectNode().put(text, 1)))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("surrogate");
  }

  @Test
  void deepNestingIsRejectedBeforeTheStackEnds() {
    ArrayNode outer = NODES.arrayNode();
    ArrayNode at = outer;
    for (int i = 1; i < StrictJson.MAX_DEPTH; i++) {
      at = at.addArray();
    }
    assertThat(CanonicalJson.bytes(outer)).hasSize(2 * StrictJson.MAX_DEPTH);

    at.addArray();
    assertThatThrownBy(() -> CanonicalJson.bytes(outer))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("64 levels");
  }

  @Test
  void nodesThatAreNotJsonAreRejected() {
    assertThatThrownBy(() -> CanonicalJson.bytes(NODES.binaryNode(new byte[1])))
        .isInstanceOf(InvalidJsonException.class);
    assertThatThrownBy(() -> CanonicalJson.bytes(NODES.pojoNode(new Object())))
        .isInstanceOf(InvalidJsonException.class);
  }

  private static String canonical(String json) {
    return canonical(StrictJson.parse(json.getBytes(UTF_8)));
  }

  private static String canonical(JsonNode json) {
    return new String(CanonicalJson.bytes(json), UTF_8);
  }
}
