package dev.bridle.gateway.kit.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.gateway.kit.json.JsonTape.Kind;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsing, and cutting values out as they stand. */
final class JsonTapeTest {

  private static final int DEPTH = 8;

  @Test
  void eachValueIsCutOutByteForByte() {
    String text =
        " { \"a\" : [ 1 , -2.50E+3,\"x\\\"]\" , null,true ] ,\"b\":{ \"c\" :\tfalse } , \"ü\":0}";
    JsonTape tape = parse(text);

    int a = tape.member(0, "a");
    assertThat(raw(tape, a)).isEqualTo("[ 1 , -2.50E+3,\"x\\\"]\" , null,true ]");
    assertThat(raw(tape, a + 1)).isEqualTo("1");
    assertThat(raw(tape, a + 2)).isEqualTo("-2.50E+3");
    assertThat(raw(tape, a + 3)).isEqualTo("\"x\\\"]\"");
    assertThat(raw(tape, a + 4)).isEqualTo("null");
    assertThat(raw(tape, a + 5)).isEqualTo("true");
    assertThat(raw(tape, tape.member(0, "b"))).isEqualTo("{ \"c\" :\tfalse }");
    assertThat(raw(tape, tape.member(0, "ü"))).isEqualTo("0");
    assertThat(raw(tape, 0)).isEqualTo(text.strip());
    assertThat(tape.kind(a + 1)).isEqualTo(Kind.INTEGER);
    assertThat(tape.kind(a + 2)).isEqualTo(Kind.DECIMAL);
    assertThat(tape.member(0, "d")).isEqualTo(-1);
  }

  @Test
  void aNodeHasAPathFromEachValueAroundIt() {
    JsonTape tape = parse("{\"a\":[{},[7,{\"b\":{\"c\":1,\"d\":2}}]],\"e\":3}");
    int a = tape.member(0, "a");
    int second = tape.next(a + 1);
    int b = tape.member(tape.next(second + 1), "b");
    int d = tape.member(b, "d");

    assertThat(tape.path(0, d)).isEqualTo("a[1][1].b.d");
    assertThat(tape.path(a, d)).isEqualTo("[1][1].b.d");
    assertThat(tape.path(b, d)).isEqualTo("d");
    assertThat(tape.path(d, d)).isEmpty();
    assertThat(tape.path(0, tape.member(0, "e"))).isEqualTo("e");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"\"|``",
        "\"plain\"|plain",
        "\"a\\n\\t\\\"\\\\\\/b\"|`a\n\t\"\\/b`",
        "\"\\u00fc\\u20AC\"|ü€",
        "\"\\ud83d\\ude00 😀\"|😀 😀",
        "\"ü\\\\\"|ü\\"
      })
  void stringsAreDecoded(String json, String text) {
    JsonTape tape = parse(json);

    assertThat(tape.string(0)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"a\"}",
        "{\"a\":}",
        "{a:1}",
        "{'a':1}",
        "[1,]",
        "[1 2]",
        "{} {}",
        "01",
        "1.",
        "+1",
        "NaN",
        "tru",
        "nullx",
        "\"\n\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "\"\\ud800\\u0041\"",
        "// c\n1",
        "\ufeff{}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":2}"
      })
  void whatIsNoJsonIsRefused(String text) {
    assertThatThrownBy(() -> parse(text)).isInstanceOf(InvalidMemberException.class);
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() {
    byte[][] texts = {
      {'"', (byte) 0xff, '"'},
      {'"', (byte) 0xc0, (byte) 0x80, '"'},
      {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
      {'"', (byte) 0xf0, (byte) 0x9f, '"'},
      "{}".getBytes(StandardCharsets.UTF_16LE)
    };
    for (byte[] text : texts) {
      assertThatThrownBy(() -> JsonTape.parse(text, DEPTH))
          .isInstanceOf(InvalidMemberException.class)
          .hasMessageContaining("UTF-8");
    }
  }

  @Test
  void aComplaintDoesNotEchoLongInput() {
    assertThatThrownBy(() -> parse("{\"a\": " + "x".repeat(100_000) + "}"))
        .hasMessageContaining("line 1, column ")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(250));
    assertThatThrownBy(() -> parse("{\"" + "x".repeat(60_000) + "\":1,\"b\":1,\"b\":2}"))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(250));
  }

  @Test
  void aTwinIsFoundAmongManyMembersToo() {
    StringBuilder text = new StringBuilder("{\"x\":[{");
    for (int i = 0; i < 1000; i++) {
      text.append("\"m").append(i).append("\":0,");
    }

    assertThat(parse(text + "\"other\":0}]}").kind(0)).isEqualTo(Kind.OBJECT);
    assertThatThrownBy(() -> parse(text + "\"m3\":0}]}"))
        .isInstanceOfSatisfying(
            InvalidMemberException.class, e -> assertThat(e.param()).isEqualTo("x[0].m3"));
  }

  @Test
  void theDepthIsBounded() {
    assertThat(parse("[".repeat(DEPTH) + "]".repeat(DEPTH)).kind(0)).isEqualTo(Kind.ARRAY);
    assertThatThrownBy(() -> parse("[".repeat(DEPTH + 1)))
        .hasMessageContaining("deeper than 8 levels");
    assertThatThrownBy(() -> parse("{\"a\":".repeat(100_000)))
        .hasMessageContaining("deeper than 8 levels");
  }

  private static JsonTape parse(String text) {
    return JsonTape.parse(text.getBytes(StandardCharsets.UTF_8), DEPTH);
  }

  private static String raw(JsonTape tape, int node) {
    return new String(tape.raw(node), StandardCharsets.UTF_8);
  }
}
