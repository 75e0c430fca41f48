package dev.bridle.cli.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import org.junit.jupiter.api.Test;

/** Which messages repeat what an agent has said piece by piece. */
final class SpokenPiecesTest {
  private final SpokenPieces spoken = new SpokenPieces();

  private static ObjectNode message(String... texts) {
    ObjectNode payload = JsonLines.object();
    ArrayNode parts = payload.putArray("parts");
    for (String text : texts) {
      parts.addObject().put("text", text);
    }
    return payload;
  }

  private boolean repeats(ObjectNode message, String... pieces) {
    for (String piece : pieces) {
      spoken.add(piece);
    }
    return spoken.endWith(message);
  }

  @Test
  void aMessageWithOtherBlanksIsARepetition() {
    assertThat(repeats(message("a b\n\nc"), "a ", "b", "\nc")).isTrue();
  }

  @Test
  void aMessageThatIsCutIsARepetition() {
    assertThat(repeats(message("a b"), "a ", "b", " c")).isTrue();
  }

  @Test
  void anotherMessageIsNone() {
    assertThat(repeats(message("b"), "a ", "b")).isFalse();
    assertThat(repeats(message("a b c"), "a ", "b")).isFalse();
  }

  @Test
  void whatWasSaidBeforeAMessageIsNotOfTheNextOne() {
    assertThat(repeats(message("a"), "a")).isTrue();
    assertThat(repeats(message("a"))).isFalse();
    assertThat(repeats(message("b"), "b")).isTrue();
  }

  @Test
  void aMessageWithoutATextOrWithSeveralPartsIsNone() {
    assertThat(repeats(message(""), "a")).isFalse();
    assertThat(repeats(message())).isFalse();
    assertThat(repeats(message("a", "b"), "a", "b")).isFalse();
    assertThat(repeats(JsonLines.object(), "a")).isFalse();
  }

  @Test
  void noMoreIsRememberedThanAMessageMayHave() {
    String most = "a".repeat(256 << 10);

    assertThat(repeats(message(most), most, "b")).isTrue();
    assertThat(repeats(message(most + "b"), most, "b")).isFalse();
  }
}
