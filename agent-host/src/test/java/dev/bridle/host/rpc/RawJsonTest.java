package dev.bridle.host.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members of a message are the bytes that arrived. */
final class RawJsonTest {
  private static RawJson raw(String text) {
    return RawJson.ofTrusted(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"a \\u0041 é 😀\"",
        "-0.10e+2",
        "true",
        "null",
        "[1, 2 ,{\"a\":[]}]",
        "{ \"b\" : \"}\" }",
        "7"
      })
  void aMemberKeepsItsSpelling(String value) throws BadJson {
    RawJson outer = raw(" {\"é\":{ \"x\" : " + value + " , \"y\":" + value + "} }");
    RawJson inner = outer.member("é").orElseThrow();

    assertThat(inner.member("x").orElseThrow()).hasToString(value).isEqualTo(raw(value));
    assertThat(inner.member("y").orElseThrow()).hasToString(value).hasSameHashCodeAs(raw(value));
    assertThat(inner.member("z")).isEmpty();
  }

  @Test
  void aLongTextIsReadToItsEnd() throws BadJson {
    String text = "\"" + "é\\n".repeat(50_000) + "\"";

    assertThat(raw("{\"a\":" + text + ",\"b\":1}").member("a").orElseThrow()).hasToString(text);
  }

  @Test
  void theTreeKeepsDigits() throws BadJson {
    assertThat(raw("1.50").json().asText()).isEqualTo("1.50");
    assertThat(raw("12345678901234567890").json().asText()).isEqualTo("12345678901234567890");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":1,\"a\":2}", "{\"a\":{\"b\":1,\"b\":2}}"})
  void aNameThatOccursTwiceIsRefused(String text) {
    assertThatThrownBy(() -> raw(text).json()).isInstanceOf(BadJson.class);
  }

  @Test
  void whatIsNestedTooDeeplyIsRefused() {
    assertThatThrownBy(() -> raw("[".repeat(100_000)).json()).isInstanceOf(BadJson.class);
    assertThatThrownBy(() -> raw("[".repeat(100_000)).members()).isInstanceOf(BadJson.class);
  }

  @Test
  void whatFollowsAValueIsRefused() {
    assertThatThrownBy(() -> raw("{} {}").members()).isInstanceOf(BadJson.class);
    assertThatThrownBy(() -> raw("{} x").json()).isInstanceOf(BadJson.class);
  }

  @Test
  void anAbsentValueHasNeitherBytesNorMembers() throws BadJson {
    assertThat(RawJson.absent().isPresent()).isFalse();
    assertThat(RawJson.absent().json().isMissingNode()).isTrue();
    assertThat(RawJson.absent().member("a")).isEmpty();
  }
}
