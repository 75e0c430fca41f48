package dev.bridle.pages.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.bridle.cli.Bridle;
import dev.bridle.cli.tls.ServerCertificate;
import dev.bridle.cli.up.HarpServing;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page as a phone reaches it: by a name, over TLS, with a certificate that {@code bridle tls
 * create} has made.
 */
@Tag("slow")
@EnabledIf(
    value = "hasBrowser",
    disabledReason = "no Chromium is installed (apt-get install chromium)")
final class PhoneByNameIT {
  private static final String NAME = "desk.home";

  @TempDir private static Path directory;

  static boolean hasBrowser() {
    return Chromium.installed().isPresent();
  }

  @Test
  void aPhonePairsAndAnswersOverTlsAndABrowserWithoutTheCertificateDoesNot() throws Exception {
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
    Path tls = directory.resolve("tls");
    assertThat(
            Bridle.commandLine("tls", "create", "--dir", tls.toString(), "--name", NAME)
                .execute("tls", "create", "--dir", tls.toString(), "--name", NAME))
        .isZero();
    try (ServedBridle server = new ServedBridle(directory.resolve("data"), served(tls))) {
      String url = server.pairing("ada", "over TLS").get("url").textValue();
      assertThat(url).startsWith("https://" + NAME + ":");
      List<String> errors = new ArrayList<>();
      try (Chromium trusting =
              Chromium.start(
                  List.of(
                      "--host-resolver-rules=MAP " + NAME + " 127.0.0.1",
                      "--ignore-certificate-errors-spki-list=" + keyHash(tls)));
          BrowserContext phone = trusting.phone(ColorScheme.DARK)) {
        Page page = Chromium.page(phone, errors);
        page.navigate(url);
        button(page, "Pair this phone").tap();
        assertThat(page.getByRole(AriaRole.STATUS).first()).containsText("Live");
        assertThat((Boolean) page.evaluate("() => isSecureContext")).isTrue();

        String task = server.asks("make deploy");
        page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName(Pattern.compile("make deploy")))
            .tap();
        Locator allow = button(page, "Allow once");
        assertThat(allow).isVisible();
        page.waitForTimeout(700); // A tap right after something has moved counts for nothing.
        allow.tap();
        server.reaches(task, "COMPLETED");
        assertThat(errors).isEmpty();
      }
      try (Chromium other =
              Chromium.start(List.of("--host-resolver-rules=MAP " + NAME + " 127.0.0.1"));
          BrowserContext phone = other.phone(ColorScheme.LIGHT)) {
        Page page = Chromium.page(phone, new ArrayList<>());
        assertThatThrownBy(() -> page.navigate(url))
            .isInstanceOf(PlaywrightException.class)
            .hasMessageContaining("ERR_CERT_AUTHORITY_INVALID");
      }
    }
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^" + name)));
  }

  private static HarpServing served(Path tls) throws Exception {
    int port = freePort();
    HarpServing plain = HarpServing.at(port);
    return new HarpServing(
        port,
        plain.pingInterval(),
        plain.maxUnsentBytes(),
        Optional.of(
            ListenerOptions.defaults().withPublicUrl(URI.create("https://" + NAME + ":" + port))),
        Optional.of(
            ServerCertificate.open(
                tls.resolve("server.crt"), tls.resolve("server.key"), notice -> {})),
        true);
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Returns the SHA-256 of the certificate's key, which the browser takes for trusted. */
  private static String keyHash(Path tls) throws Exception {
    try (InputStream in = Files.newInputStream(tls.resolve("server.crt"))) {
      byte[] key =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(in)
              .getPublicKey()
              .getEncoded();
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(key));
    }
  }
}
