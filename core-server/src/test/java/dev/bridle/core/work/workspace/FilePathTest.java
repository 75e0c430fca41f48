package dev.bridle.core.work.workspace;

import static dev.bridle.core.work.workspace.FilePath.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.core.kernel.error.ProtocolException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilePathTest {
  @ParameterizedTest
  @CsvSource({
    "a.txt, a.txt",
    "./a/./b, a/b",
    "a/.hidden, a/.hidden",
    "...,...",
    "a/.., ",
    "e\u0301, \u00e9"
  })
  void aPathHasOneSpelling(String given, String clean) {
    if (clean == null) {
      assertThatThrownBy(() -> parse(given)).isInstanceOf(ProtocolException.class);
    } else {
      assertThat(parse(given).text()).isEqualTo(clean);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "./."})
  void nothingOrADotIsTheRoot(String given) {
    assertThat(parse(given).isRoot()).isTrue();
    assertThat(parse(given).displayText()).isEqualTo(".");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/etc/passwd",
        "//host/share",
        "C:/windows",
        "c:\\windows",
        "\\\\host",
        "..",
        "../a",
        "a/../../b",
        "a/..",
        "a//b",
        "a/",
        "a\\..\\b",
        "a\u0000b",
        "a\nb",
        "a\u007f"
      })
  void whatIsAbsoluteLeadsOutOrIsNoNameIsRefused(String given) {
    assertThatThrownBy(() -> parse(given))
        .isInstanceOfSatisfying(
            ProtocolException.class, e -> assertThat(e.param()).contains("path"));
  }

  @Test
  void pathsAreBounded() {
    assertThat(parse("é".repeat(127)).text()).hasSize(127);
    assertThatThrownBy(() -> parse("é".repeat(128))).isInstanceOf(ProtocolException.class);
    assertThat(parse("a" + "/a".repeat(31)).directories()).hasSize(31);
    assertThatThrownBy(() -> parse("a" + "/a".repeat(32))).isInstanceOf(ProtocolException.class);
    String long255 = "a".repeat(255);
    assertThat(parse(String.join("/", long255, long255, long255, long255)).text())
        .hasSizeLessThanOrEqualTo(1024);
    assertThatThrownBy(() -> parse(String.join("/", long255, long255, long255, long255, "a")))
        .isInstanceOf(ProtocolException.class);
  }

  @Property
  void whateverIsTakenStaysWithinAndIsItsOwnSpelling(
      @ForAll
          @StringLength(max = 12)
          @CharRange(from = '.', to = '/')
          @CharRange(from = 'a', to = 'b')
          String given) {
    FilePath path;
    try {
      path = parse(given);
    } catch (ProtocolException refused) {
      return;
    }
    assertThat(parse(path.text())).isEqualTo(path);
    assertThat(java.nio.file.Path.of("/root").resolve(path.text()).normalize())
        .isEqualTo(
            path.isRoot()
                ? java.nio.file.Path.of("/root")
                : java.nio.file.Path.of("/root/" + path.text()));
  }
}
