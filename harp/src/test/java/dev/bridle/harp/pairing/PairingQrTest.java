package dev.bridle.harp.pairing;

import static dev.bridle.harp.pairing.PairingSamples.assertRefused;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a QR code is made in one spelling and read strictly. */
final class PairingQrTest {
  private static final String G = "g=https%3A%2F%2Frelay.example%3A8443%2Fharp";
  private static final String N = "n=AAECAwQFBgcICQoLDA0ODw";
  private static final String E = "e=NHUPmL1Z_PyUbaRaqr6TO-FUpLUJThxKv0KGZQXzyX4";
  private static final String SECRET = "ICEiIyQlJicoKSorLC0uLw";
  private static final String S = "s=" + SECRET;
  private static final String T = "t=b-7MjBbFVR2f6z61934tp3O_aL2e-cUpJ86yyG5WiSs";
  private static final String TEXT = "harp-pair:1?" + G + "&" + N + "&" + E + "&" + S + "&" + T;

  private static final Sha256 PIN = Sha256.of("spki".getBytes(US_ASCII));

  private static byte[] enforcerKey() {
    return Base64Url.decode(PairingSamples.ENFORCER_KEY).orElseThrow();
  }

  private static PairingQr qr(String relay, Optional<Sha256> pin) throws Exception {
    return PairingQr.of(
        relay, PairingSamples.NONCE, Sha256.of(enforcerKey()), PairingSamples.secret(), pin);
  }

  @Test
  void theTextIsThatOfTheVector() throws Exception {
    assertThat(qr(PairingSamples.RELAY, Optional.of(PIN)).text()).isEqualTo(TEXT);
  }

  @Test
  void theMembersAreReadInAnyOrder() throws Exception {
    List<String> members = new ArrayList<>(List.of(G, N, E, S, T));
    Random random = new Random(1);
    for (int i = 0; i < 20; i++) {
      PairingQr read = PairingQr.parse("harp-pair:1?" + String.join("&", members));

      assertThat(read.relay()).isEqualTo(PairingSamples.RELAY);
      assertThat(read.nonce()).isEqualTo(PairingSamples.NONCE);
      assertThat(read.identity()).isEqualTo(Sha256.of(enforcerKey()));
      assertThat(read.secret().bytes()).isEqualTo(PairingSamples.secret().bytes());
      assertThat(read.relayPin()).contains(PIN);
      assertThat(read.text()).isEqualTo(TEXT);
      Collections.shuffle(members, random);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:7080",
        "http://localhost",
        "http://[::1]:7080/a",
        "http://relay.example/a%20b/c;d=1,2/~e*'()!$&+=:@",
      })
  void aRelayWithoutTlsHasNoPin(String relay) throws Exception {
    PairingQr read = PairingQr.parse(qr(relay, Optional.empty()).text());

    assertThat(read.relay()).isEqualTo(relay);
    assertThat(read.relayPin()).isEmpty();
    assertThat(read.text()).doesNotContain("t=");
    assertRefused(HarpErrorCode.TRANSPORT, "schema", () -> qr(relay, Optional.of(PIN)));
  }

  @Test
  void randomOnesComeBack() throws Exception {
    SecureRandom random = new SecureRandom();
    for (int i = 0; i < 200; i++) {
      int longer = random.nextInt(PairingTranscript.MAX_NONCE_BYTES - 15);
      byte[] nonce = new byte[PairingTranscript.MIN_NONCE_BYTES + longer];
      random.nextBytes(nonce);
      PairingSecret secret = PairingSecret.create(random);
      PairingQr made =
          PairingQr.of(
              "https://relay.example/" + i,
              Base64Url.encode(nonce),
              Sha256.of(nonce),
              secret,
              Optional.of(Sha256.of(secret.bytes())));

      PairingQr read = PairingQr.parse(made.text());
      assertThat(read.text()).isEqualTo(made.text());
      assertThat(read.secret().bytes()).isEqualTo(secret.bytes());
      assertThat(Base64Url.decode(read.nonce())).contains(nonce);
    }
  }

  @Test
  void theLongestUrlFits() throws Exception {
    String relay = "https://relay.example/" + "%41".repeat(334);
    assertThat(relay).hasSize(1024);

    assertThat(PairingQr.parse(qr(relay, Optional.of(PIN)).text()).relay()).isEqualTo(relay);
    assertRefused(HarpErrorCode.TRANSPORT, "schema", () -> qr(relay + "a", Optional.of(PIN)));
  }

  @Test
  void theSecretIsNeitherInTheStringNorInAnError() throws Exception {
    assertThat(PairingQr.parse(TEXT).toString()).contains("relay.example").doesNotContain(SECRET);
    assertThatThrownBy(() -> PairingQr.parse(TEXT.replace(S, S + "=")))
        .hasMessageContaining("member s")
        .hasMessageNotContaining(SECRET);
    assertThatThrownBy(() -> PairingQr.parse(TEXT + "&x=" + SECRET))
        .hasMessageNotContaining(SECRET);
  }

  @ParameterizedTest
  @ValueSource(strings = {G, N, E, S})
  void eachMemberButThePinIsNeeded(String member) {
    assertRefused(
        HarpErrorCode.TRANSPORT,
        "schema",
        () -> PairingQr.parse(TEXT.replace(member, "").replace("&&", "&").replace("?&", "?")));
  }

  @Test
  void aRelayWhoseCertificateBrowsersVerifyNeedsNoPin() throws Exception {
    PairingQr read = PairingQr.parse(qr("https://relay.example", Optional.empty()).text());

    assertThat(read.relayPin()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {G, N, E, S, T})
  void eachMemberComesOnce(String member) {
    assertRefused(HarpErrorCode.TRANSPORT, "schema", () -> PairingQr.parse(TEXT + "&" + member));
    assertRefused(
        HarpErrorCode.TRANSPORT,
        "schema",
        () -> PairingQr.parse(TEXT.replace(member, member.substring(0, 1))));
    assertRefused(
        HarpErrorCode.TRANSPORT,
        "schema",
        () -> PairingQr.parse(TEXT.replace(member, member.substring(0, 2))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "0", "01", "1.0", "", "1 ", "x"})
  void anUnknownVersionIsRefusedWhateverItsMembersAre(String version) {
    assertRefused(
        HarpErrorCode.UNSUPPORTED,
        "unknown_version",
        () -> PairingQr.parse(TEXT.replace(":1?", ":" + version + "?")));
    assertRefused(
        HarpErrorCode.UNSUPPORTED,
        "unknown_version",
        () -> PairingQr.parse("harp-pair:" + version + "?other=1"));
    assertRefused(
        HarpErrorCode.UNSUPPORTED,
        "unknown_version",
        () -> PairingQr.parse("harp-pair:" + version));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "https://relay.example",
        "harp-pair",
        "HARP-PAIR:1?" + G,
        " " + TEXT,
        "harp-pair:1",
        "harp-pair:1?",
        "harp-pair:1?&" + G + "&" + N + "&" + E + "&" + S + "&" + T,
        TEXT + "&",
        TEXT + "&x=1",
        TEXT + "&G=1",
        TEXT + "#x",
        TEXT + "\n",
      })
  void anotherTextIsRefused(String text) {
    assertRefused(HarpErrorCode.TRANSPORT, "schema", () -> PairingQr.parse(text));
  }

  @Test
  void aLongTextIsRefusedBeforeItIsRead() {
    String filled = "harp-pair:2?" + "x".repeat(4096 - "harp-pair:2?".length());

    assertRefused(HarpErrorCode.UNSUPPORTED, "unknown_version", () -> PairingQr.parse(filled));
    assertRefused(HarpErrorCode.TRANSPORT, "schema", () -> PairingQr.parse(filled + "x"));
  }

  @ParameterizedTest
  @CsvSource({
    // One byte fewer and one more, padding, bits left over, the other alphabet.
    "n, AAECAwQFBgcICQoLDA0O",
    "n, AAECAwQFBgcICQoLDA0ODw==",
    "n, AAECAwQFBgcICQoLDA0ODx",
    "n, //ECAwQFBgcICQoLDA0ODw",
    "s, ICEiIyQlJicoKSorLC0u",
    "s, ICEiIyQlJicoKSorLC0uLzA",
    "s, ICEiIyQlJicoKSorLC0uLw==",
    "s, ICEiIyQlJicoKSorLC0uLx",
    "s, //EiIyQlJicoKSorLC0uLw",
    "e, NHUPmL1Z_PyUbaRaqr6TO-FUpLUJThxKv0KGZQXzyQ",
    "e, NHUPmL1Z_PyUbaRaqr6TO-FUpLUJThxKv0KGZQXzyX5",
    "e, NHUPmL1Z/PyUbaRaqr6TO+FUpLUJThxKv0KGZQXzyX4",
    "t, b-7MjBbFVR2f6z61934tp3O_aL2e-cUpJ86yyG5WiQ",
    "t, b-7MjBbFVR2f6z61934tp3O_aL2e-cUpJ86yyG5WiSt",
    "t, b-7MjBbFVR2f6z61934tp3O_aL2e-cUpJ86yyG5WiSs=",
    // Not encoded, in lower case, encoded without need, plus for a space, cut off, no UTF-8.
    "g, https://relay.example",
    "g, https%3a%2f%2frelay.example",
    "g, https%3A%2F%2Frelay%2Eexample",
    "g, https%3A%2F%2Frelay.example%2Fa+b",
    "g, https%3A%2F%2Frelay.example%2",
    "g, https%3A%2F%2Frelay.example%ZZ",
    "g, https%3A%2F%2Frelay.example%2F%FF",
    "g, https%253A%252F%252Frelay.example",
  })
  void aMalformedMemberIsRefused(String name, String value) {
    String text = TEXT.replaceFirst("([?&])" + name + "=[^&]*", "$1" + name + "=" + value);
    assertThat(text).isNotEqualTo(TEXT);

    assertRefused(HarpErrorCode.TRANSPORT, "schema", () -> PairingQr.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "relay.example",
        "https:relay.example",
        "https://",
        "https:///a",
        "//relay.example",
        "wss://relay.example",
        "HTTPS://relay.example",
        "https://Relay.example",
        "https://relay.example/",
        "https://relay.example/a/",
        "https://relay.example//a",
        "https://relay.example/a/../b",
        "https://relay.example/./a",
        "https://relay.example:",
        "https://relay.example:0",
        "https://relay.example:0443",
        "https://relay.example:65536",
        "https://relay.example:x",
        "https://user@relay.example",
        "https://@relay.example",
        "https://relay.example?a=b",
        "https://relay.example?",
        "https://relay.example#a",
        "https://relay.example#",
        "https://relay.example/a b",
        "https://rel\u00e4y.example",
        "https://relay.example/\u00e4",
        "https://relay.example/%zz",
      })
  void aRelaysUrlHasOneSpelling(String relay) {
    assertRefused(HarpErrorCode.TRANSPORT, "schema", () -> qr(relay, Optional.of(PIN)));
    assertRefused(
        HarpErrorCode.TRANSPORT,
        "schema",
        () -> PairingQr.parse(TEXT.replace(G, "g=" + RelayUrl.encode(relay))));
    assertRefused(
        HarpErrorCode.TRANSPORT,
        "schema",
        () -> PairingSamples.transcript(json -> json.put("relay", relay)));
  }

  @Test
  void anotherEnforcersIdentityIsRefused() throws Exception {
    PairingQr read = PairingQr.parse(TEXT);
    read.verifyIdentity(enforcerKey());

    byte[] other = enforcerKey();
    other[0] ^= 1;
    assertRefused(HarpErrorCode.HASH_MISMATCH, "identity", () -> read.verifyIdentity(other));
  }
}
