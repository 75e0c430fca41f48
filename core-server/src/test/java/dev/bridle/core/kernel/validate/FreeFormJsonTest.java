package dev.bridle.core.kernel.validate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.error.ProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreeFormJsonTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":}",
        "{\"a\":1,\"a\":2}",
        "swordfish",
        "{\"a\":swordfish}",
        "{",
        "[1,",
        "{\"a\":01}",
        "\"\u0001\""
      })
  void aRefusalSaysWhereAndNothingOfTheParsersOwnOrOfTheText(String json) {
    assertThatThrownBy(() -> FreeFormJson.check(json.getBytes(UTF_8), false, "metadata"))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("line 1, column ")
        .hasMessageNotContainingAny("Source", "REDACTED", "swordfish", "com.fasterxml", "Token");
  }

  @Test
  void whatIsTooDeepOrNoUtf8IsSaidSo() {
    assertThatThrownBy(() -> FreeFormJson.check("[".repeat(100).getBytes(UTF_8), false, "metadata"))
        .hasMessageContaining("64 levels")
        .hasMessageNotContainingAny("StreamReadConstraints", "Source");
    assertThatThrownBy(
            () -> FreeFormJson.check(new byte[] {'"', (byte) 0xff, '"'}, false, "metadata"))
        .hasMessageContaining("not valid JSON")
        .hasMessageNotContainingAny("Source", "UTF-8 start byte");
  }

  @Test
  void anObjectWithoutMembersIsEmpty() {
    assertThat(FreeFormJson.isEmptyObject(ByteString.EMPTY)).isTrue();
    assertThat(FreeFormJson.isEmptyObject(ByteString.copyFromUtf8(" { } "))).isTrue();
    assertThat(FreeFormJson.isEmptyObject(ByteString.copyFromUtf8("{\"a\":0}"))).isFalse();
  }
}
