package dev.bridle.harp.vectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.IssuerSignature;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.harp.pairing.PairingQr;
import dev.bridle.harp.pairing.ShortCode;
import dev.bridle.harp.seal.AgreementKey;
import dev.bridle.harp.seal.SealedArtifact;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The vectors of {@code docs/harp-device.md}, which other languages check by their own code. {@code
 * -Dbridle.harp-vectors=write} writes the file anew.
 */
final class DeviceVectorsTest {
  private static final Path PAGE = Path.of("..", "docs", "harp-device.md");

  private static JsonNode vectors;

  @BeforeAll
  static void read() throws Exception {
    if ("write".equals(System.getProperty("bridle.harp-vectors"))) {
      Files.write(DeviceVectors.FILE, DeviceVectors.bytes());
    }
    vectors = new ObjectMapper().readTree(DeviceVectors.FILE.toFile());
  }

  @Test
  void theFileHasWhatTheLibraryComputes() throws Exception {
    assertThat(Files.readString(DeviceVectors.FILE))
        .isEqualTo(new String(DeviceVectors.bytes(), UTF_8));
  }

  private static byte[] bytes(JsonNode text) {
    return Base64Url.decode(text.textValue()).orElseThrow();
  }

  private static JsonNode device() {
    return vectors.at("/keys/device");
  }

  @Test
  void theDeviceOpensWhatIsSealedInFilesAndOverRelays() throws Exception {
    AgreementKey key = AgreementKey.ofSecret(bytes(device().get("agreementSecret")));
    for (JsonNode vector : vectors.get("artifacts")) {
      ObjectNode document = (ObjectNode) vector.get("document");
      SealedArtifact inFile = SealedArtifact.of((ObjectNode) vector.get("sealed"));
      SealedArtifact relayed =
          ArtifactSubmit.sealed(
              document.get("requestId").textValue(),
              "sha256:" + document.get("artifactHash").textValue(),
              (ObjectNode) vector.get("relayed"));

      for (SealedArtifact sealed : List.of(inFile, relayed)) {
        assertThat(HarpJson.canonical(sealed.open(key).json()))
            .isEqualTo(HarpJson.canonical(document));
      }
    }
  }

  @Test
  void theServerHasSignedWhatItAsks() throws Exception {
    KeySet keys = KeySet.parse(vectors.get("receiptKeys").toString().getBytes(UTF_8));
    for (JsonNode vector : vectors.get("artifacts")) {
      Artifact artifact = Artifact.of((ObjectNode) vector.get("document"));

      assertThat(IssuerSignature.verify(artifact, keys)).contains(VectorKeys.ISSUER.id());
      ObjectNode changed = artifact.json();
      changed.withObject("/payload").put("kind", "edit");
      assertThatThrownBy(() -> IssuerSignature.verify(Artifact.of(changed), keys))
          .isInstanceOf(HarpException.class);
    }
  }

  @Test
  void anEnforcerRebuildsEachDecisionFromItsMessage() throws Exception {
    VerificationKey key =
        VerificationKey.of(bytes(device().get("signingKey")), KeyValidity.UNBOUNDED);
    JsonNode asked = vectors.at("/artifacts/1/document");
    for (JsonNode vector : vectors.get("decisions")) {
      DecisionSubmit submit =
          DecisionSubmit.of(GatewayEnvelope.of((ObjectNode) vector.get("submit")));

      Decision decision =
          submit.verified(
              asked.get("repoRef").textValue(), asked.get("expiresAt").textValue(), key);
      assertThat(decision.json()).isEqualTo(vector.get("decision"));
      assertThat(decision.hash()).isEqualTo(vector.get("hash").textValue());
      assertThat(decision.subject())
          .isEqualTo(Decision.Subject.of(Artifact.of((ObjectNode) asked)));
    }
  }

  @Test
  void eachKeyHasSignedWhichOneTakesItsPlace() {
    VerificationKey old = VectorKeys.ISSUER.verificationKey(KeyValidity.UNBOUNDED);
    assertThat(vectors.get("successions")).hasSize(2);
    for (JsonNode vector : vectors.get("successions")) {
      JsonNode statement = vector.at("/succession/statement");
      byte[] signature = bytes(vector.at("/succession/signature/signature"));

      assertThat(CanonicalJson.bytes(statement))
          .isEqualTo(vector.get("signed").textValue().getBytes(UTF_8));
      assertThat(statement.get("old_key_id").textValue()).isEqualTo(old.id());
      assertThat(old.verifies(CanonicalJson.bytes(statement), signature)).isTrue();
      old = VerificationKey.of(bytes(statement.at("/new_key/x")), KeyValidity.UNBOUNDED);
      assertThat(statement.at("/new_key/kid").textValue()).isEqualTo(old.id());
    }
  }

  @Test
  void codesAndTextsOfThePairingAreRead() throws Exception {
    JsonNode pairing = vectors.get("pairing");

    assertThat(ShortCode.parse(pairing.get("shortCodeTyped").textValue()).text())
        .isEqualTo(pairing.get("shortCode").textValue());
    PairingQr qr = PairingQr.parse(pairing.at("/qr/text").textValue());
    assertThat(qr.relay()).isEqualTo(pairing.at("/offer/relay").textValue());
    assertThat(qr.nonce()).isEqualTo(pairing.at("/offer/nonce").textValue());
    assertThat(qr.secret().bytes()).isEqualTo(bytes(pairing.get("secret")));
    qr.verifyIdentity(bytes(vectors.at("/keys/enforcer/publicKey")));
  }

  /** Values of the page's example are long words; each stands in the file. */
  @Test
  void theExampleOfThePageHasTheValuesOfTheFile() throws IOException {
    String page = Files.readString(PAGE);
    String example = page.substring(page.indexOf("\n## Worked example"));
    String file = Files.readString(DeviceVectors.FILE);
    Matcher value = Pattern.compile("[A-Za-z0-9_-]{20,}").matcher(example);
    int found = 0;
    while (value.find()) {
      assertThat(file).contains(value.group());
      found++;
    }
    assertThat(found).isGreaterThan(10);
  }
}
