package dev.bridle.core.integrations.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RawJsonTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{ \"a\" : [ 1, {} ] }",
        "{\"a\":\"\\u00e4\\\"}\"}",
        "{\"text\":\"höher als 1 Byte 🎈\"}",
        "{\"body\":{\"body\":{}}}"
      })
  void aMemberIsCutOutAsTheBytesThatItIs(String member) {
    for (String before : new String[] {"", "\"x\":\"ä🎈\", ", "\"x\":{\"body\":{}},\n"}) {
      for (String after : new String[] {"", " ,\"y\":[{\"body\":{}}]"}) {
        String json = " {" + before + "\"body\" : " + member + after + "} ";

        assertThat(cut(json)).as(json).contains(member);
      }
    }
  }

  @Test
  void whatIsAbsentOrNoObjectIsNotCutOut() {
    assertThat(cut("{}")).isEmpty();
    assertThat(cut("{\"x\":{\"body\":{}}}")).isEmpty();
    assertThat(cut("{\"body\":\"{}\"}")).isEmpty();
  }

  private static Optional<String> cut(String json) {
    return RawJson.member(json.getBytes(StandardCharsets.UTF_8), "body")
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }
}
