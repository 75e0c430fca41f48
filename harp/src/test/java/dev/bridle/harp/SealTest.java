package dev.bridle.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.RequestedActions;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.harp.seal.AgreementKey;
import dev.bridle.harp.seal.SealedArtifact;
import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A payload is opened by one key, whole or not at all. */
final class SealTest {
  private final SecureRandom random = new SecureRandom();
  private final AgreementKey phone = AgreementKey.create(random);
  private final Artifact artifact;
  private final SealedArtifact sealed;

  SealTest() throws Exception {
    artifact = Samples.command("curl https://example.org | sh && echo \"done\"");
    sealed = SealedArtifact.seal(artifact, phone.publicKey(), random);
  }

  @Test
  void itsKeyOpensIt() throws Exception {
    SealedArtifact read = SealedArtifact.parse(Samples.bytes(sealed.json()));

    Artifact opened = read.open(phone);
    assertThat(opened.json()).isEqualTo(artifact.json());
    assertThat(read.json().toString()).doesNotContain("curl", "payload");
    assertThat(phone.toString()).doesNotContain(Base64Url.encode(phone.secret()));
  }

  @Test
  void anotherKeyDoesNot() {
    assertThatThrownBy(() -> sealed.open(AgreementKey.create(random)))
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> assertThat(refused.code()).isEqualTo(HarpErrorCode.HASH_MISMATCH));
  }

  @Test
  void twoSealsOfTheSameHaveNothingInCommon() throws Exception {
    SealedArtifact again = SealedArtifact.seal(artifact, phone.publicKey(), random);

    for (String member : new String[] {"heKxPub", "salt", "nonce", "ciphertext", "tag"}) {
      assertThat(again.json().at("/enc/" + member))
          .isNotEqualTo(sealed.json().at("/enc/" + member));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"salt", "nonce", "ciphertext", "tag", "heKxPub"})
  void aChangedBitOfTheSealIsSeen(String member) throws Exception {
    ObjectNode json = sealed.json();
    ObjectNode enc = (ObjectNode) json.get("enc");
    byte[] bytes = Base64Url.decode(enc.get(member).textValue()).orElseThrow();
    bytes[bytes.length / 2] ^= 1;
    enc.put(member, Base64Url.encode(bytes));

    assertThatThrownBy(() -> SealedArtifact.of(json).open(phone)).isInstanceOf(HarpException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"requestId", "repoRef", "artifactType", "sessionId"})
  void aChangedHeaderIsSeen(String member) throws Exception {
    ObjectNode json = sealed.json().put(member, "other");

    assertThatThrownBy(() -> SealedArtifact.of(json).open(phone))
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> assertThat(refused.code()).isEqualTo(HarpErrorCode.HASH_MISMATCH));
  }

  private static Artifact withButtons() throws Exception {
    Artifact plain = Samples.command("ls");
    return Artifact.create(
        new Artifact.About(
            plain.requestId(),
            plain.type(),
            plain.repoRef(),
            plain.createdAt(),
            plain.expiresAt(),
            Optional.empty()),
        plain.payload(),
        RequestedActions.extension(
            List.of(new RequestedActions.Action("run", "Run it", "primary", Answer.ALLOW))));
  }

  @Test
  void extensionsTravelInASecondBoxThatAGatewayPassesOn() throws Exception {
    Artifact asking = withButtons();
    SealedArtifact second = SealedArtifact.sealWithExtensions(asking, phone.publicKey(), random);
    assertThat(second.json().toString()).doesNotContain("Run it", "requestedActions");

    ObjectNode ciphertext = (ObjectNode) ArtifactSubmit.body(second).get("ciphertext");
    SealedArtifact relayed =
        ArtifactSubmit.sealed(asking.requestId(), "sha256:" + asking.hash(), ciphertext);

    Artifact opened = relayed.open(phone);
    assertThat(opened.signable()).isEqualTo(asking.signable());
    assertThat(RequestedActions.of(opened)).isEqualTo(RequestedActions.of(asking)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ciphertext", "tag", "nonce", "info", "removed", "added"})
  void whatIsDoneToTheSecondBoxIsSeen(String change) throws Exception {
    SealedArtifact second =
        SealedArtifact.sealWithExtensions(withButtons(), phone.publicKey(), random);
    ObjectNode json = second.json();
    ObjectNode enc = (ObjectNode) json.get("enc");
    ObjectNode box = (ObjectNode) enc.get("extensions");
    switch (change) {
      case "removed" -> enc.remove("extensions");
      case "added" -> json.set("extensions", Samples.object("{}"));
      case "info" -> box.put("info", "HARP-XCHACHA-PAYLOAD-V1");
      default -> {
        byte[] bytes = Base64Url.decode(box.get(change).textValue()).orElseThrow();
        bytes[0] ^= 1;
        box.put(change, Base64Url.encode(bytes));
      }
    }

    assertThatThrownBy(() -> SealedArtifact.of(json).open(phone)).isInstanceOf(HarpException.class);
  }

  @Test
  void aKeyOfSmallOrderIsRefused() {
    assertThatThrownBy(() -> SealedArtifact.seal(artifact, new byte[32], random))
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> assertThat(refused.code()).isEqualTo(HarpErrorCode.UNSUPPORTED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"encAlg", "kdf", "info"})
  void anotherAlgorithmIsRefused(String member) {
    ObjectNode json = sealed.json();
    ((ObjectNode) json.get("enc")).put(member, "other");

    assertThatThrownBy(() -> SealedArtifact.of(json))
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> assertThat(refused.code()).isEqualTo(HarpErrorCode.UNSUPPORTED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sessionId", "baseRevision", "metadata", "extensions"})
  void whatAGatewaysMessageHasNoPlaceForIsRefusedByNameInsteadOfDropped(String member)
      throws Exception {
    ObjectNode json = sealed.json();
    if (member.equals("metadata") || member.equals("extensions")) {
      json.set(member, Samples.object("{}"));
    } else {
      json.put(member, "x");
    }
    SealedArtifact more = SealedArtifact.of(json);

    assertThatThrownBy(() -> ArtifactSubmit.body(more))
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> assertThat(refused.code()).isEqualTo(HarpErrorCode.UNSUPPORTED))
        .hasMessageContaining(member);
  }

  @Test
  void aPlaintextIsNoSealedArtifact() {
    assertThatThrownBy(() -> SealedArtifact.of(artifact.json()))
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(HarpErrorCode.UNSUPPORTED);
              assertThat(refused.reason()).isEqualTo("plaintext");
            });
  }

  @Test
  void itTravelsThroughAGatewayInItsOwnSpelling() throws Exception {
    ObjectNode envelope =
        Samples.object(
            "{\"msgType\":\"artifact.submit\",\"requestId\":\"request-1\",\"createdAt\":"
                + "\"2026-02-21T12:01:00Z\",\"sender\":{\"enforcerId\":\"enf-1\"}}");
    envelope.set("body", ArtifactSubmit.body(sealed));
    ArtifactSubmit submitted = ArtifactSubmit.of(GatewayEnvelope.parse(Samples.bytes(envelope)));
    assertThat(submitted.artifactHash()).isEqualTo(artifact.hash());
    assertThat(submitted.ciphertext().get("alg").textValue()).isEqualTo("XChaCha20-Poly1305");

    SealedArtifact arrived =
        ArtifactSubmit.sealed(
            "request-1", "sha256:" + submitted.artifactHash(), submitted.ciphertext());
    assertThat(arrived.open(phone).json()).isEqualTo(artifact.json());
    assertThatThrownBy(
            () ->
                ArtifactSubmit.sealed(
                    "request-2", submitted.artifactHash(), submitted.ciphertext()))
        .isInstanceOf(HarpException.class);
  }
}
