package dev.bridle.pages.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.regex.Pattern;

/** A person's phone, which is a browser of its own storage, and counts taps. */
final class Phone implements AutoCloseable {
  private final BrowserContext context;
  private final Page page;
  private int taps;

  /**
   * @param errors receives what the page reports as errors
   */
  Phone(Chromium chromium, List<String> errors, ColorScheme scheme) {
    this(chromium.phone(scheme), errors);
  }

  /** A phone in a context of its own. */
  Phone(BrowserContext context, List<String> errors) {
    this.context = context;
    page = Chromium.page(context, errors);
  }

  BrowserContext context() {
    return context;
  }

  Page page() {
    return page;
  }

  int taps() {
    return taps;
  }

  void pairs(String url) {
    opensLink(url);
    tap(button("Pair this phone"));
    isLive();
  }

  void opensLink(String url) {
    page.navigate(url);
  }

  void isLive() {
    assertThat(page.getByRole(AriaRole.STATUS).first()).containsText("Live");
  }

  Locator main() {
    return page.locator("main");
  }

  Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^" + name)));
  }

  Locator link(String name) {
    return page.getByRole(
        AriaRole.LINK, new Page.GetByRoleOptions().setName(Pattern.compile(name)));
  }

  Locator heading(String name) {
    return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(name));
  }

  void tap(Locator what) {
    what.tap();
    taps++;
  }

  /** Answers with a button that takes no tap right after something has moved. */
  void answers(Locator button) {
    page.waitForTimeout(700); // The page waits for half a second: that is what is tested here.
    tap(button);
  }

  Locator notices() {
    return page.getByLabel("Notices of the server");
  }

  void reloads() {
    page.reload();
    isLive();
  }

  void opens(String question) {
    tap(link(question));
    assertThat(heading("Your answer")).isVisible();
  }

  void goesBack() {
    tap(link("Back to the questions").first());
    assertThat(heading("Questions")).isVisible();
  }

  @Override
  public void close() {
    context.close();
  }
}
