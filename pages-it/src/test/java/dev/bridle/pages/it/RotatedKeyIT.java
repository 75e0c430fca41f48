package dev.bridle.pages.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.bridle.cli.Bridle;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
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
  private BrowserContext context;
  private Page page;

  static boolean hasBrowser() {
    return Chromium.installed().isPresent();
  }

  @BeforeEach
  void start() {
    server = new ServedBridle(directory.resolve("data"));
    chromium = Chromium.start();
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
    context = chromium.phone(ColorScheme.LIGHT);
    page = Chromium.page(context, errors);
  }

  @AfterEach
  void stop() {
    context.close();
    chromium.close();
    server.close();
    assertThat(errors).isEmpty();
  }

  private void pairs(String button) {
    page.navigate(server.pairing("ada", "Ada's phone").get("url").textValue());
    button(button).tap();
    isLive();
  }

  private void isLive() {
    assertThat(page.getByRole(AriaRole.STATUS).first()).containsText("Live");
  }

  private Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^" + name)));
  }

  private Locator heading(String name) {
    return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(name));
  }

  private Locator link(String name) {
    return page.getByRole(
        AriaRole.LINK, new Page.GetByRoleOptions().setName(Pattern.compile(name)));
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
    link(question).tap();
    assertThat(heading("Your answer")).isVisible();
    assertThat(heading("Unknown sender")).hasCount(0);
    page.waitForTimeout(700); // The page takes no tap right after something has moved.
    button("Allow once").tap();
    server.reaches(task, "COMPLETED");
    assertThat(server.answered(task, "approved").get("channel").textValue()).isEqualTo("harp");
    link("Back to the questions").first().tap();
    assertThat(heading("Questions")).isVisible();
  }

  @Test
  void aPhoneFollowsTheKeyOfTheServerUntilThatEndsItsOldKeys() {
    pairs("Pair this phone");
    String before = server.asks("make before");
    assertThat(link("make before")).isVisible();

    rotates();
    String after = server.asks("make after");

    allows("make after", after);
    allows("make before", before);

    // What was learned is kept.
    context.route(CHAIN, Route::abort);
    page.reload();
    isLive();
    allows("make kept", server.asks("make kept"));
    context.unroute(CHAIN);

    rotates("--end-old-keys");
    String ended = server.asks("make ended");
    assertThat(heading("Unknown sender")).isVisible();
    link("command.review").tap();
    assertThat(heading("Unknown sender")).isVisible();
    assertThat(button("Allow once")).hasCount(0);

    pairs("Replace the pairing");
    allows("make ended", ended);
  }
}
