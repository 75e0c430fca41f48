package dev.bridle.pages.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A hostile page of another origin, open in the browser of a phone that is paired. */
@Tag("slow")
@EnabledIf(
    value = "hasBrowser",
    disabledReason = "no Chromium is installed (apt-get install chromium)")
final class OtherOriginIT {
  /** What a page finds out about an address: its answer, or that the browser has kept it away. */
  private static final String TRIES =
      """
      async ({ base, id, token }) => {
        const authorization = `Bearer ${token}`;
        const tried = (path, options) => fetch(base + path, { ...options, signal: AbortSignal.timeout(20000) })
          .then((answer) => `${answer.status} ${answer.type}`, () => 'blocked');
        const loads = (node, src) => new Promise((resolve) => {
          node.onload = () => resolve('loaded');
          node.onerror = () => resolve('blocked');
          setTimeout(() => resolve('silent'), 20000);
          node.src = src;
          document.body.append(node);
        });
        const module = document.createElement('script');
        module.type = 'module';
        const classic = document.createElement('script');
        const image = document.createElement('img');
        return {
          page: await tried('/approve/'),
          inbox: await tried(`/v1/approvers/${id}/inbox`, { headers: { authorization } }),
          decision: await tried('/v1/decision',
            { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: '{}' }),
          pairing: await tried('/v1/pairing/resolve/ABCD1234'),
          module: await loads(module, `${base}/approve/app.mjs`),
          classic: await loads(classic, `${base}/approve/app.mjs`),
          image: await loads(image, `${base}/approve/icon.svg`),
        };
      }
      """;

  /** The phone's own id and token. */
  private static final String DEVICE =
      """
      async () => {
        const { Store } = await import('/approve/store.mjs');
        const { approverId, token } = await (await Store.open()).device();
        return { id: approverId, token };
      }
      """;

  private static final String SOCKET =
      """
      ({ base, id, token }) => new Promise((resolve) => {
        const opened = new WebSocket(`${base.replace('http', 'ws')}/v1/ws?role=approver&id=${id}`, ['harp-0.2', `bearer.${token}`]);
        opened.onopen = () => resolve('opened');
        opened.onerror = () => resolve('blocked');
        setTimeout(() => resolve('silent'), 20000);
      })
      """;

  private final List<String> errors = new ArrayList<>();

  @TempDir private Path directory;
  private ServedBridle server;
  private Chromium chromium;
  private HttpServer evil;

  static boolean hasBrowser() {
    return Chromium.installed().isPresent();
  }

  @BeforeEach
  void start() throws IOException {
    server = new ServedBridle(directory.resolve("data"));
    chromium = Chromium.start();
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
    evil = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String approve = server.base() + "/approve/";
    byte[] page =
        ("<!doctype html><title>evil</title><body><iframe src='"
                + approve
                + "'></iframe><button id=open onclick=\"window.opened=window.open('"
                + approve
                + "')\">Open</button>")
            .getBytes(StandardCharsets.UTF_8);
    evil.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("content-type", "text/html");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    evil.start();
  }

  @AfterEach
  void stop() {
    evil.stop(0);
    chromium.close();
    server.close();
    assertThat(errors).isEmpty();
  }

  @Test
  void anotherOriginReadsFramesRunsAndSendsNothing() {
    try (Phone phone = new Phone(chromium, errors, ColorScheme.LIGHT)) {
      phone.pairs(server.pairing("ada", "Ada's phone").get("url").textValue());
      String task = server.asks("make deploy");
      assertThat(phone.link("make deploy")).isVisible();
      Map<String, Object> stolen = new HashMap<>(Map.of("base", server.base()));
      ((Map<?, ?>) phone.page().evaluate(DEVICE))
          .forEach((name, value) -> stolen.put(name.toString(), value));
      assertThat(phone.page().evaluate(SOCKET, stolen)).as("of its own origin").isEqualTo("opened");
      Page other = phone.context().newPage();
      other.navigate("http://localhost:" + evil.getAddress().getPort() + "/");

      assertThat(other.evaluate(TRIES, stolen))
          .as("even with a token that was stolen")
          .isEqualTo(
              Map.of(
                  "page", "blocked",
                  "inbox", "blocked",
                  "decision", "blocked",
                  "pairing", "blocked",
                  "module", "blocked",
                  "classic", "blocked",
                  "image", "blocked"));
      assertThat(other.evaluate(SOCKET, stolen)).isEqualTo("blocked");
      assertThat(other.frames())
          .extracting(frame -> frame.url())
          .as("the page is framed by nobody")
          .noneMatch(url -> url.startsWith(server.base()));
      other.locator("#open").tap();
      other.waitForFunction("() => window.opened?.closed === true"); // It is out of its reach.

      phone.opens("make deploy");
      phone.answers(phone.button("Allow once"));
      server.reaches(task, "COMPLETED");
    }
  }

  @Test
  void aLinkOfAnotherServerIsRefusedByThisPage() {
    try (Phone phone = new Phone(chromium, errors, ColorScheme.LIGHT)) {
      String url = server.pairing("ada", "Ada's phone").get("url").textValue();
      phone.opensLink(
          url.replaceFirst("#harp-pair:1\\?g=[^&]*", "#harp-pair:1?g=https%3A%2F%2Fevil.example"));

      assertThat(phone.main()).containsText("This link is for another server");
      assertThat(phone.button("Pair this phone")).hasCount(0);
    }
  }
}
