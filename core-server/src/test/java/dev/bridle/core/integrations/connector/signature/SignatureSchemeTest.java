package dev.bridle.core.integrations.connector.signature;

import static dev.bridle.core.integrations.connector.Signing.hex;
import static dev.bridle.core.integrations.connector.Signing.hmac;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.connector.v1.WebhookSignature;
import dev.bridle.core.kernel.error.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SignatureSchemeTest {
  private static final String SECRET = "it's a secret to everybody";
  private static final String BODY = "Hello, World!";
  private static final long NOW = 1_800_000_000_000L;
  private static final String TIME = "1800000000";

  @Test
  void theExampleThatGitHubPublishesHolds() {
    verify(
        given("github"),
        Map.of(
            "x-hub-signature-256",
            "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"),
        BODY,
        "It's a Secret to Everybody",
        NOW);
  }

  static Stream<Arguments> signed() {
    return Stream.of(
        arguments("github", Map.of("x-hub-signature-256", "sha256=" + hex(SECRET, BODY))),
        arguments(
            "slack",
            Map.of(
                "x-slack-request-timestamp",
                TIME,
                "x-slack-signature",
                "v0=" + hex(SECRET, "v0:" + TIME + ":" + BODY))),
        arguments(
            "stripe",
            Map.of("stripe-signature", "t=" + TIME + ",v1=" + hex(SECRET, TIME + "." + BODY))),
        arguments(
            "stripe",
            Map.of(
                "stripe-signature",
                "t=" + TIME + ", v1=00ff, v1=" + hex(SECRET, TIME + "." + BODY) + ",v0=ab")),
        arguments(
            "bridle",
            Map.of("x-harn-signature", "t=" + TIME + ",v1=" + hex(SECRET, TIME + "." + BODY))));
  }

  @ParameterizedTest
  @MethodSource("signed")
  void whatAProviderSignsIsLetIn(String preset, Map<String, String> headers) {
    verify(given(preset), headers, BODY, SECRET, NOW);
  }

  @ParameterizedTest
  @MethodSource("signed")
  void anotherBodyOrAnotherSecretIsRefused(String preset, Map<String, String> headers) {
    assertRefused(given(preset), headers, BODY + " ", SECRET, NOW);
    assertRefused(given(preset), headers, BODY, SECRET + " ", NOW);
    assertRefused(given(preset), Map.of(), BODY, SECRET, NOW);
  }

  @ParameterizedTest
  @MethodSource("signed")
  void aDeliveryWithATimeIsGoodForFiveMinutesEitherWay(String preset, Map<String, String> headers) {
    if (preset.equals("github")) {
      verify(given(preset), headers, BODY, SECRET, 0); // It has no time.
      return;
    }
    for (long apart : new long[] {-300_000, 300_000}) {
      verify(given(preset), headers, BODY, SECRET, NOW + apart);
    }
    for (long apart : new long[] {-300_001, 300_001}) {
      assertRefused(given(preset), headers, BODY, SECRET, NOW + apart);
    }
  }

  @Test
  void aTimeThatIsNotTheSignedOneIsRefused() {
    Map<String, String> moved =
        Map.of(
            "x-slack-request-timestamp",
            "1800000001",
            "x-slack-signature",
            "v0=" + hex(SECRET, "v0:" + TIME + ":" + BODY));

    assertRefused(given("slack"), moved, BODY, SECRET, NOW);
  }

  @Test
  void aSchemeOfItsOwnSaysAllByItself() {
    WebhookSignature.Builder own =
        given("custom")
            .setHeader("X-Sig")
            .setPrefix("hmac ")
            .setSigned("{timestamp}\n{body}")
            .setTimestampHeader("X-Time")
            .setEncoding("base64")
            .setToleranceSeconds(10);
    String signature = Base64.getEncoder().encodeToString(hmac(SECRET, TIME + "\n" + BODY));
    Map<String, String> headers = Map.of("x-sig", "hmac " + signature, "x-time", TIME);

    verify(own, headers, BODY, SECRET, NOW + 10_000);
    assertRefused(own, headers, BODY, SECRET, NOW + 10_001);
    assertRefused(own, Map.of("x-sig", signature, "x-time", TIME), BODY, SECRET, NOW); // No prefix.
  }

  @Test
  void signaturesThatAreNoneAreRefused() {
    for (String wrong :
        new String[] {"sha256=", "sha256=zz", "sha256=0", "sha1=ab", "=", "t=,v1="}) {
      assertRefused(given("github"), Map.of("x-hub-signature-256", wrong), BODY, SECRET, NOW);
    }
    for (String wrong : new String[] {"t=1800000000", "v1=ab", "t=x,v1=ab", "t=-1,v1=ab"}) {
      assertRefused(given("stripe"), Map.of("stripe-signature", wrong), BODY, SECRET, NOW);
    }
  }

  @Test
  void nothingIsCheckedWhereNothingIsSigned() {
    assertThat(SignatureScheme.of(WebhookSignature.newBuilder().setPreset("none").build()))
        .isEmpty();
  }

  static Stream<Arguments> unusable() {
    return Stream.of(
        arguments("secret", given("github").clearSecret()),
        arguments("header", given("custom").setSigned("{body}")),
        arguments("signed", given("custom").setHeader("x").setSigned("nothing")),
        arguments("signed", given("custom").setHeader("x").setSigned("{body}{body}")),
        arguments("signed", given("custom").setHeader("x").setSigned("{timestamp}.{body}")),
        arguments(
            "signed", given("custom").setHeader("x").setSigned("{body}").setTimestampHeader("t")),
        arguments(
            "signature_key",
            given("custom").setHeader("x").setSigned("{timestamp}.{body}").setTimestampKey("t")));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void aSchemeThatCanNotBeCheckedIsRefused(String member, WebhookSignature.Builder given) {
    assertThatThrownBy(() -> SignatureScheme.of(given.build()))
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refused -> assertThat(refused.param()).contains("webhook.signature." + member));
  }

  private static WebhookSignature.Builder given(String preset) {
    return WebhookSignature.newBuilder()
        .setPreset(preset)
        .setSecret(SecretName.newBuilder().setVaultId("vault_1").setName("hook"));
  }

  private static void verify(
      WebhookSignature.Builder given,
      Map<String, String> headers,
      String body,
      String secret,
      long now) {
    SignatureScheme.of(given.build())
        .orElseThrow()
        .verify(headers, body.getBytes(StandardCharsets.UTF_8), secret, now);
  }

  private static void assertRefused(
      WebhookSignature.Builder given,
      Map<String, String> headers,
      String body,
      String secret,
      long now) {
    assertThatThrownBy(() -> verify(given, headers, body, secret, now))
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ERROR_CODE_UNAUTHENTICATED));
  }
}
