package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.discovery.v1.GetServerIndexRequest;
import dev.bridle.discovery.v1.ServerIndex;
import dev.bridle.discovery.v1.ServerLinks;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the root path answers: JSON to programs, a page to browsers. */
final class IndexPageIT {
  private static final String BROWSER =
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8";

  private static GatewayFixture fixture;

  @BeforeAll
  static void start() {
    fixture = new GatewayFixture();
    fixture.core.answer(
        DiscoveryServiceGrpc.getGetServerIndexMethod(),
        (GetServerIndexRequest request) ->
            ServerIndex.newBuilder()
                .setName("Bridle <b>\"&'")
                .setDescription("A harness.")
                .setVersion("1.2")
                .setProtocolVersion("v")
                .setLinks(
                    ServerLinks.newBuilder()
                        .setHealth(request.getPublicUrl() + "/health")
                        .setDocs("https://docs.example/?a=1&b=\"2\""))
                .build());
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"*/*", "application/json", "application/json, text/html", "image/png"})
  void programsGetJsonWithoutCredentialsAndVersion(String accept) {
    HttpResponse<String> response = get("/", accept);

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(response.headers().allValues("vary").toString()).containsIgnoringCase("accept");
    JsonNode index = GatewayFixture.json(response);
    assertThat(index.get("object").textValue()).isEqualTo("server_index");
    assertThat(index.at("/links/health").textValue()).startsWith("http://").endsWith("/health");
  }

  @Test
  void whoNamesNoTypeGetsJson() {
    HttpResponse<String> response = fixture.send(fixture.bare("/?utm=1"));

    assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
  }

  @Test
  void browsersGetAPageWhoseTextsAreEscaped() {
    HttpResponse<String> response = get("/", BROWSER);

    assertThat(response.headers().firstValue("content-type")).hasValue("text/html; charset=utf-8");
    assertThat(response.headers().firstValue("content-security-policy"))
        .hasValue("default-src 'none'");
    assertThat(response.headers().allValues("vary").toString()).containsIgnoringCase("accept");
    assertThat(response.body())
        .contains("<h1>Bridle &lt;b&gt;&quot;&amp;&#39;</h1>", "<dd>1.2</dd>")
        .contains("<a href=\"https://docs.example/?a=1&amp;b=&quot;2&quot;\">")
        .doesNotContain("<b>");
  }

  @Test
  void headHasNoBodyAndOtherMethodsAreRefused() {
    HttpRequest.Builder head = fixture.bare("/").method("HEAD", BodyPublishers.noBody());
    assertThat(fixture.send(head).body()).isEmpty();

    HttpResponse<String> refused =
        fixture.send(fixture.bare("/").POST(BodyPublishers.ofString("{}")));
    assertThat(refused.statusCode()).isEqualTo(405);
    assertThat(refused.headers().firstValue("allow")).hasValue("GET, HEAD");
  }

  private static HttpResponse<String> get(String path, String accept) {
    return fixture.send(fixture.bare(path).header("Accept", accept));
  }
}
