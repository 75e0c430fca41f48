package dev.bridle.core.kernel.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutboundUrlTest {
  @ParameterizedTest
  @CsvSource({
    "https://Hooks.Example, true, hooks.example, 443, /",
    "https://hooks.example./a/b?c=d%20e, true, hooks.example, 443, /a/b?c=d%20e",
    "http://hooks.example:8080?x, false, hooks.example, 8080, /?x",
    "HTTPS://8.8.8.8:443/, true, 8.8.8.8, 443, /",
    "https://[2001:DB8::1]/, true, 2001:db8:0:0:0:0:0:1, 443, /",
    "https://[::ffff:127.0.0.1]/, true, 127.0.0.1, 443, /",
    "https://xn--bcher-kva.example/, true, xn--bcher-kva.example, 443, /",
  })
  void aUrlIsReadOneWay(String text, boolean secure, String host, int port, String path) {
    assertThat(OutboundUrl.parse(text)).isEqualTo(new OutboundUrl(secure, host, port, path));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hooks.example",
        "//hooks.example/",
        "https:hooks.example",
        "https:///path",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "gopher://hooks.example/",
        "https://me@hooks.example/",
        "https://me:secret@hooks.example/",
        "https://@hooks.example/",
        "https://hooks.example/#there",
        "https://hooks.example\\@127.0.0.1/",
        "https://hooks.example /",
        "https://hooks.example/\r\nX: y",
        "https://bücher.example/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0x7f.0.0.1/",
        "https://0x7f.1/",
        "https://127.1/",
        "https://127.0.1/",
        "https://017700000001/",
        "https://0177.0.0.1/",
        "https://127.0.0.01/",
        "https://127.0.0.256/",
        "https://1.2.3.4.5/",
        "https://127.0.0.1../",
        "https://8.8.8.8./",
        "https://[fe80::1%25eth0]/",
        "https://[::1/",
        "https://[127.0.0.1]/",
        "https://[::g]/",
        "https://a..b/",
        "https://-a.example/",
        "https://hooks.example:0/",
        "https://hooks.example:22/",
        "https://hooks.example:25/",
        "https://hooks.example:1023/",
        "https://hooks.example:65536/",
        "https://hooks.example:99999999999/",
        "https://%6c%6f.example/"
      })
  void whatCanBeReadInTwoWaysIsRefused(String text) {
    assertThatThrownBy(() -> OutboundUrl.parse(text))
        .isInstanceOfSatisfying(
            OutboundException.class,
            e -> assertThat(e.reason()).isEqualTo(OutboundException.Reason.REFUSED_URL));
  }

  @Test
  void neitherPathNorQueryIsSpoken() {
    assertThat(OutboundUrl.parse("https://hooks.example/T0/B0/secret?key=secret").toString())
        .isEqualTo("https://hooks.example:443");
  }

  @Test
  void aUrlHasABound() {
    assertThatThrownBy(() -> OutboundUrl.parse("https://hooks.example/" + "a".repeat(2048)))
        .isInstanceOf(OutboundException.class);
  }
}
