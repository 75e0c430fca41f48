package dev.bridle.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of the page for approvers. */
final class PageBundleTest {
  private static final Path FILES = Path.of("src/main/resources/dev/bridle/pages/approve");
  private static final int MOST_COMPRESSED = 60_000;
  private static final String LICENCE = "vendor/noble-ciphers/LICENSE";

  /**
   * What is used of {@code @noble/ciphers} 2.4.0 (MIT). Its first lines say how it is made again.
   */
  private static final Map<String, String> VENDORED =
      Map.of(
          "xchacha20poly1305.js",
          "2875f7ad96fe7e00687b0e433d3f4ca6da6730663d055ac99ebca7ca4a055646");

  @Test
  void everyFileIsServedButTheLicence() throws IOException {
    try (Stream<Path> all = Files.walk(FILES)) {
      List<String> there =
          all.filter(Files::isRegularFile)
              .map(file -> FILES.relativize(file).toString().replace('\\', '/'))
              .filter(name -> !name.equals(LICENCE))
              .toList();

      assertThat(PageBundle.approve().files())
          .extracting(PageFile::name)
          .containsExactlyInAnyOrderElementsOf(there);
    }
    assertThat(FILES.resolve(LICENCE)).exists();
  }

  @Test
  void itIsSmall() {
    assertThat(
            PageBundle.approve().files().stream()
                .filter(file -> !file.name().equals("icon.svg")) // Of the home screen.
                .mapToInt(file -> file.compressed().length)
                .sum())
        .isLessThan(MOST_COMPRESSED);
  }

  @Test
  void whatIsVendoredIsWhatWasMadeOfThePackage() {
    PageBundle page = PageBundle.approve();

    VENDORED.forEach(
        (name, sha256) ->
            assertThat(page.file("vendor/noble-ciphers/" + name).orElseThrow().sha256())
                .as(name)
                .isEqualTo(sha256));
  }

  @Test
  void nothingOfItIsMadeOfTextOrAsksAnotherOrigin() {
    Pattern forbidden =
        Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\(|new Function"
                + "| style=|https?://");

    PageBundle.approve().files().stream()
        .filter(file -> !file.name().startsWith("vendor/") && !file.name().endsWith(".svg"))
        .forEach(
            file ->
                assertThat(new String(file.bytes(), UTF_8))
                    .as(file.name())
                    .doesNotContainPattern(forbidden));
  }

  @Test
  void theWorkerKeepsEachFileThatThePageNeeds() {
    PageBundle page = PageBundle.approve();
    String worker = new String(page.file("sw.js").orElseThrow().bytes(), UTF_8);

    assertThat(page.files())
        .filteredOn(file -> !file.name().equals("sw.js") && !file.name().equals("index.html"))
        .allSatisfy(file -> assertThat(worker).contains(file.name()));
  }
}
