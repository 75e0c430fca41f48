package dev.bridle.pages.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.bridle.cli.Bridle;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A phone that is a browser, and a server whose receipt key is rotated after it was paired. */
@Tag("slow")
@EnabledIf(
    value = "hasBrowser",
    disabledReason = "no Chromium is installed (apt-get install chromium)")
final class RotatedKeyIT {
  private static final String CHAIN = "**/v1/enforcers/bridle/keys";

  private final List<String> errors = new ArrayList<>();

  @TempDir private Path directory;
  private ServedBridle server;
  private Chromium chromium;
  private Phone phone;

  static boolean hasBrowser() {
    return Chromium.installed().isPresent();
  }

  @BeforeEach
  void start() {
    server = new ServedBridle(directory.resolve("data"));
    chromium = Chromium.start();
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
    phone = new Phone(chromium, errors, ColorScheme.LIGHT);
  }

  @AfterEach
  void stop() {
    phone.close();
    chromium.close();
    server.close();
    assertThat(errors).isEmpty();
  }

  private void pairs(String button) {
    phone.opensLink(server.pairing("ada", "Ada's phone").get("url").textValue());
    phone.tap(phone.button(button));
    phone.isLive();
  }

  private void rotates(String... more) {
    List<String> words = new ArrayList<>(List.of("oauth", "key", "rotate"));
    words.addAll(List.of("--data-dir", directory.resolve("data").toString()));
    words.addAll(List.of(more));
    String[] all = words.toArray(String[]::new);
    PrintWriter out = new PrintWriter(new StringWriter(), true);
    assertThat(Bridle.commandLine(all).setOut(out).setErr(out).execute(all)).isZero();
  }

  /** Opens a question as one of the server, allows it, and goes back. */
  private void allows(String question, String task) {
    phone.opens(question);
    assertThat(phone.heading("Unknown sender")).hasCount(0);
    phone.answers(phone.button("Allow once"));
    server.reaches(task, "COMPLETED");
    assertThat(server.answered(task, "approved").get("channel").textValue()).isEqualTo("harp");
    phone.goesBack();
  }

  @Test
  void aPhoneFollowsTheKeyOfTheServerUntilThatEndsItsOldKeys() {
    pairs("Pair this phone");
    String before = server.asks("make before");
    assertThat(phone.link("make before")).isVisible();

    rotates();
    String after = server.asks("make after");

    allows("make after", after);
    allows("make before", before);

    // What was learned is kept.
    phone.context().route(CHAIN, Route::abort);
    phone.reloads();
    allows("make kept", server.asks("make kept"));
    phone.context().unroute(CHAIN);

    rotates("--end-old-keys");
    String ended = server.asks("make ended");
    assertThat(phone.heading("Unknown sender")).isVisible();
    phone.tap(phone.link("command.review"));
    assertThat(phone.heading("Unknown sender")).isVisible();
    assertThat(phone.button("Allow once")).hasCount(0);

    pairs("Replace the pairing");
    allows("make ended", ended);
  }
}
