package dev.bridle.harpgateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.pages.PageBundle;
import dev.bridle.pages.PageFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page for approvers, as the gateway serves it. */
final class ApprovePageIT {
  private static final HttpClient client = HttpClient.newHttpClient();
  private static HarpFixture served;

  @BeforeAll
  static void start() {
    served = new HarpFixture(HarpGatewayOptions::withApprovePage);
  }

  @AfterAll
  static void stop() {
    served.stop();
  }

  private static HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = served.bare(path);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static Optional<String> header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name);
  }

  @Test
  void eachFileComesAsItIsAndAllowsThePageItsOwnOriginAlone() throws Exception {
    for (PageFile file : PageBundle.approve().files()) {
      HttpResponse<byte[]> response = get("/approve/" + file.name());

      assertThat(response.statusCode()).as(file.name()).isEqualTo(200);
      assertThat(response.body()).isEqualTo(file.bytes());
      assertThat(header(response, "content-type")).contains(file.type());
      assertThat(header(response, "content-security-policy").orElseThrow())
          .contains("default-src 'none'", "connect-src 'self'", "trusted-types bridle")
          .doesNotContain("unsafe");
      assertThat(header(response, "referrer-policy")).contains("no-referrer");
      assertThat(header(response, "x-content-type-options")).contains("nosniff");
    }
    assertThat(get("/approve/").body())
        .isEqualTo(PageBundle.approve().file("index.html").orElseThrow().bytes());
  }

  @Test
  void whatTheBrowserHasIsNotSentAgain() throws Exception {
    String tag = header(get("/approve/app.mjs"), "etag").orElseThrow();

    HttpResponse<byte[]> again = get("/approve/app.mjs", "If-None-Match", tag);

    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(header(get("/approve/"), "cache-control")).contains("no-store");
    assertThat(header(get("/approve/sw.js"), "cache-control")).contains("no-store");
    assertThat(header(get("/approve/app.mjs"), "cache-control")).contains("no-cache");
  }

  @Test
  void itComesCompressedWhereTheBrowserTakesThat() throws Exception {
    HttpResponse<byte[]> response = get("/approve/app.mjs", "Accept-Encoding", "br, gzip;q=0.8");

    assertThat(header(response, "content-encoding")).contains("gzip");
    assertThat(unpacked(response.body()))
        .isEqualTo(PageBundle.approve().file("app.mjs").orElseThrow().bytes());
    assertThat(header(get("/approve/app.mjs", "Accept-Encoding", "gzip;q=0"), "content-encoding"))
        .isEmpty();
  }

  private static byte[] unpacked(byte[] gzip) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return in.readAllBytes();
    }
  }

  @Test
  void theAddressWithoutItsSlashLeadsThere() throws Exception {
    HttpResponse<byte[]> response = get("/approve");

    assertThat(response.statusCode()).isEqualTo(308);
    assertThat(header(response, "location")).contains("/approve/");
  }

  @Test
  void nothingElseIsServedBelowIt() throws Exception {
    for (String path :
        new String[] {
          "/approve/none.js",
          "/approve/vendor/noble-ciphers/LICENSE",
          "/approve/../approve/app.mjs/",
          "/approve/%2e%2e/app.mjs",
          "/approve/app.mjs?x=1"
        }) {
      assertThat(get(path).statusCode()).as(path).isIn(400, 404);
    }
  }

  @Test
  void aGatewayThatIsNotAskedToServesNoPage() throws Exception {
    HarpFixture without = new HarpFixture();
    try {
      HttpResponse<byte[]> response =
          client.send(without.bare("/approve/").build(), BodyHandlers.ofByteArray());

      assertThat(response.statusCode()).isEqualTo(404);
    } finally {
      without.stop();
    }
  }
}
