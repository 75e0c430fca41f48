package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TextDifferenceTest {
  @Test
  void aChangedLineIsShownWithTheLinesAroundIt() {
    assertThat(TextDifference.of("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nf\n").text())
        .isEqualTo("@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+E\n f");
  }

  @Test
  void aNewFileIsAllAdded() {
    assertThat(TextDifference.of("", "x\ny\n").text()).isEqualTo("@@ -0,0 +1,2 @@\n+x\n+y");
  }

  @Test
  void anEmptiedFileIsAllRemoved() {
    assertThat(TextDifference.of("x\n", "").text()).isEqualTo("@@ -1,1 +0,0 @@\n-x");
  }

  @Test
  void aLineBreakAtTheEndAndACarriageReturnAreChanges() {
    assertThat(TextDifference.of("x", "x\n").text())
        .contains("-x\n\\ No newline at end of file\n+x");
    assertThat(TextDifference.of("x\n", "x\r\n").text()).contains("-x\n+x\r");
    assertThat(TextDifference.of("x\n", "x\n").text()).isEmpty();
  }

  @Test
  void filesOfManyLinesAreShownAsReplaced() {
    String text = "line\n".repeat(3000);
    assertThat(TextDifference.of(text, text + "more\n").text().lines().count()).isEqualTo(6002);
    assertThat(TextDifference.of(text, text).text()).isEmpty();
  }

  @Test
  void itIsWithinATextThatHasEachChangedLine() {
    TextDifference difference = TextDifference.of("a\nb\n", "a\nc\n");
    assertThat(difference.isWithin(Set.of("--- x", "+++ x", "@@ -1,2 +1,2 @@", " a", "-b", "+c")))
        .isTrue();
    assertThat(difference.isWithin(Set.of("-b"))).isFalse();
  }

  /** Whoever reads the diff knows the new text: applied to the old one it gives it. */
  @Test
  void theDiffAppliedToTheOldTextGivesTheNewOne() {
    Random random = new Random(7);
    for (int i = 0; i < 500; i++) {
      String before = text(random);
      String after = text(random);
      assertThat(applied(before, TextDifference.of(before, after).text())).isEqualTo(after);
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int line = random.nextInt(12); line > 0; line--) {
      text.append((char) ('a' + random.nextInt(4)))
          .append(line > 1 || random.nextBoolean() ? "\n" : "");
    }
    return text.toString();
  }

  private static String applied(String before, String diff) {
    Deque<String> old = new ArrayDeque<>(List.of(before.split("(?<=\n)")));
    old.remove("");
    int taken = 0;
    StringBuilder after = new StringBuilder();
    for (String line : diff.replace("\n\\ No newline at end of file", "\\").split("\n", -1)) {
      String text = line.endsWith("\\") ? line.replace("\\", "") : line + "\n";
      if (line.startsWith("@@")) {
        String[] from = line.split("[-, ]+", -1);
        int start = Integer.parseInt(from[1]) - (from[2].equals("0") ? 0 : 1);
        for (; taken < start; taken++) {
          after.append(old.remove());
        }
      } else if (line.startsWith("+")) {
        after.append(text.substring(1));
      } else if (!line.isEmpty()) {
        taken++;
        assertThat(old.remove()).isEqualTo(text.substring(1));
        after.append(line.startsWith(" ") ? text.substring(1) : "");
      }
    }
    old.forEach(after::append);
    return after.toString();
  }
}
