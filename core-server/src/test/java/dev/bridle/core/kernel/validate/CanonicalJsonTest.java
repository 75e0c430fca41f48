package dev.bridle.core.kernel.validate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class CanonicalJsonTest {
  @Test
  void membersAreSortedAndNothingIsWrittenThatNeedNotBe() {
    assertThat(spelled("{ \"b\" : [1, true , null],\n \"a\" : {\"d\":{}, \"c\":\"x\"} }"))
        .isEqualTo("{\"a\":{\"c\":\"x\",\"d\":{}},\"b\":[1,true,null]}");
  }

  @Test
  void textHasOneSpelling() {
    assertThat(spelled("\"\\u0041\\u000a\\u001f\\/\\\"\\u00e9\""))
        .isEqualTo("\"A\\n\\u001f/\\\"\u00e9\"");
  }

  @Test
  void numbersStayAsTheyAreSpelled() {
    assertThat(spelled("[1.50, 1e3, 9007199254740993]")).isEqualTo("[1.50,1e3,9007199254740993]");
  }

  private static String spelled(String json) {
    return CanonicalJson.of(ByteString.copyFromUtf8(json)).toStringUtf8();
  }
}
