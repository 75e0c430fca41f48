package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An edit is the same one whether it is shown as a part of its file or with all of it. */
class FileChangeTest {
  private static final String FILE = "one\ntwo\nthree\ntwo\n";

  private static FileChange change(String before, String after) {
    return new FileChange("notes.txt", Optional.of(before), after);
  }

  private static void assertSame(FileChange one, FileChange other) {
    assertThat(one.isSameEdit(other)).isTrue();
    assertThat(other.isSameEdit(one)).isTrue();
  }

  private static void assertOther(FileChange one, FileChange other) {
    assertThat(one.isSameEdit(other)).isFalse();
    assertThat(other.isSameEdit(one)).isFalse();
  }

  @Test
  void aPartIsTheSameEditAsItsFile() {
    assertSame(change("three", "3"), change(FILE, "one\ntwo\n3\ntwo\n"));
    assertSame(change("two", "2"), change(FILE, "one\n2\nthree\ntwo\n"));
    assertSame(change("two\n", ""), change(FILE, "one\ntwo\nthree\n"));
  }

  @Test
  void aFileOfWhichMoreChangesIsAnotherEdit() {
    assertOther(change("three", "3"), change(FILE, "1\ntwo\n3\ntwo\n"));
    assertOther(change("three", "3"), change(FILE, "one\ntwo\n3\ntwo\nfour\n"));
  }

  @Test
  void anotherTextOrAnotherPlaceIsAnotherEdit() {
    assertOther(change("three", "3"), change(FILE, "one\ntwo\n4\ntwo\n"));
    assertOther(change("four", "3"), change(FILE, "one\ntwo\n3\ntwo\n"));
  }

  @Test
  void aNewFileIsNoPartOfAnother() {
    assertOther(new FileChange("notes.txt", Optional.empty(), "3"), change(FILE, FILE + "3"));
  }

  @Test
  void endsOfLinesAndTextsDoNotCountAsChanges() {
    assertSame(change("a\r\nb\r\n", "a\r\nc").plain(), change("a\nb", "a\nc\n\n").plain());
  }

  /** Every place of the file fits almost to its end: without a bound, that takes 10^12 steps. */
  @Test
  void textsThatAreAlmostEverywhereTheSameEndAsAnotherEdit() {
    String part = "a".repeat(1_000_000) + "b";
    String file = "a".repeat(2_000_000);

    assertOther(change(part, "a".repeat(999_999) + "b"), change(file, "a".repeat(1_999_999)));
  }
}
