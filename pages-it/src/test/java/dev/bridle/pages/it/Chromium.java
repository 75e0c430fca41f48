package dev.bridle.pages.it;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ServiceWorkerPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A real browser without a screen. */
final class Chromium implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 60_000;

  private static final List<String> ALWAYS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private final Playwright driver;
  private final Browser browser;

  private Chromium(Path executable, List<String> more) {
    driver =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        driver
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(executable)
                    .setArgs(Stream.concat(ALWAYS.stream(), more.stream()).toList()));
  }

  /** Returns where the browser is; empty where there is none. */
  static Optional<Path> installed() {
    return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  static Chromium start() {
    return start(List.of());
  }

  /** Starts one with further arguments. */
  static Chromium start(List<String> more) {
    return new Chromium(installed().orElseThrow(), more);
  }

  /** Returns a new phone: with touch, 390 pixels wide, and a storage of its own. */
  BrowserContext phone(ColorScheme scheme) {
    return phone(scheme, ServiceWorkerPolicy.ALLOW);
  }

  /** Returns a phone whose calls a test can change on their way, which a worker would hide. */
  BrowserContext phoneBehindARelay() {
    return phone(ColorScheme.LIGHT, ServiceWorkerPolicy.BLOCK);
  }

  private BrowserContext phone(ColorScheme scheme, ServiceWorkerPolicy workers) {
    BrowserContext phone =
        browser.newContext(
            new Browser.NewContextOptions()
                .setServiceWorkers(workers)
                .setViewportSize(390, 844)
                .setDeviceScaleFactor(2)
                .setHasTouch(true)
                .setIsMobile(true)
                .setColorScheme(scheme)
                .setLocale("en-GB"));
    phone.setDefaultTimeout(PATIENCE_MILLIS);
    return phone;
  }

  /** Returns a page whose errors fail a test that asks for them. */
  static Page page(BrowserContext phone, List<String> errors) {
    Page page = phone.newPage();
    page.onPageError(errors::add);
    page.onConsoleMessage(
        said -> {
          // What the server refuses, or does not answer, is shown to the person.
          boolean isOfACall = said.text().startsWith("Failed to load resource");
          if (said.type().equals("error") && !isOfACall) {
            errors.add(said.text());
          }
        });
    return page;
  }

  @Override
  public void close() {
    browser.close();
    driver.close();
  }
}
