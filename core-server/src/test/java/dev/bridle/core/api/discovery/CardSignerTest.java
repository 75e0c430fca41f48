package dev.bridle.core.api.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.crypto.tink.subtle.Ed25519Verify;
import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.RotateSigningKeyRequest;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.work.oauth.OAuthWorld;
import dev.bridle.discovery.v1.CardSignature;
import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.discovery.v1.GetAgentCardRequest;
import dev.bridle.discovery.v1.HarnAgentCard;
import dev.bridle.oauth.v1.GetKeySetRequest;
import dev.bridle.oauth.v1.JsonWebKey;
import dev.bridle.oauth.v1.OAuthServiceGrpc;
import dev.bridle.skill.v1.Skill;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CardSignerTest {
  private static final String URL = "https://bridle.example";

  @TempDir private Path directory;

  @Test
  void aCardVerifiesWithAPublishedKeyAndNoOtherContentDoes() throws Exception {
    try (OAuthWorld world = new OAuthWorld(directory, access -> access)) {
      HarnAgentCard card = card(world, URL);

      CardSignature signature = card.getSignature();
      assertThat(signature.getAlgorithm()).isEqualTo("ed25519");
      assertThat(card(world, URL)).as("asked for again").isEqualTo(card);
      verify(world, card);
      HarnAgentCard other = card.toBuilder().setName("Another").build();
      assertThatThrownBy(() -> verify(world, other)).isInstanceOf(GeneralSecurityException.class);
    }
  }

  @Test
  void afterARotationTheCurrentKeySignsAndTheOldSignatureVerifiesStill() throws Exception {
    try (OAuthWorld world = new OAuthWorld(directory, access -> access)) {
      HarnAgentCard before = card(world, URL);

      var rotated =
          OAuthAdminServiceGrpc.newBlockingStub(world.operator())
              .rotateSigningKey(RotateSigningKeyRequest.getDefaultInstance());

      HarnAgentCard after = card(world, URL);
      assertThat(after.getSignature().getKeyId())
          .isEqualTo(rotated.getCardKey().getId())
          .isNotEqualTo(before.getSignature().getKeyId())
          .isNotEqualTo(rotated.getKey().getId());
      verify(world, after);
      verify(world, before);
    }
  }

  @Test
  void aCardThatNamesAnotherUrlIsNotSigned() {
    try (OAuthWorld world = new OAuthWorld(directory, access -> access)) {
      assertThat(card(world, "https://elsewhere.example").hasSignature()).isFalse();
    }
  }

  @Test
  void aServerWithoutAMasterKeyClaimsNoSignature() {
    try (OAuthWorld world = new OAuthWorld(directory, access -> AccessOptions.NONE)) {
      assertThat(card(world, URL).hasSignature()).isFalse();
    }
  }

  @Test
  void whatIsSignedIsTheCanonicalFormOfAllThatIsServed() {
    Skill skill =
        Skill.newBuilder()
            .setId("skill_count")
            .setName("z\u00e4hle \"W\u00f6rter\"")
            .setDescription("Counts.")
            .setInputSchema(ByteString.copyFromUtf8("{\"b\": 1.0, \"a\":[1e2,\"\\u0041\"]}"))
            .build();

    String content =
        new String(
            CardSigner.content(new AgentCards(List.of(skill), List::of, true).at("http://h")),
            UTF_8);

    assertThat(content)
        .startsWith("{\"a2a_card\":{\"additionalInterfaces\":[{")
        .contains("\"input_schema\":{\"a\":[100,\"A\"],\"b\":1}")
        .contains("\"name\":\"z\u00e4hle \\\"W\u00f6rter\\\"\"")
        .contains("\"receipt_policy\":\"optional\"")
        .contains("\"security\":[{\"bearer\":[]},{\"oauth2\":[]}]")
        .contains("\"created_at\":\"2026-11-22T00:00:00.000Z\"")
        .contains("\"object\":\"harn_agent_card\"")
        .doesNotContain("\"signature\"");
  }

  private static HarnAgentCard card(OAuthWorld world, String url) {
    return DiscoveryServiceGrpc.newBlockingStub(world.core.channel())
        .getAgentCard(GetAgentCardRequest.newBuilder().setPublicUrl(url).build());
  }

  private static void verify(OAuthWorld world, HarnAgentCard card) throws GeneralSecurityException {
    JsonWebKey key =
        OAuthServiceGrpc.newBlockingStub(world.core.channel())
            .getKeySet(GetKeySetRequest.getDefaultInstance())
            .getKeysList()
            .stream()
            .filter(one -> one.getKid().equals(card.getSignature().getKeyId()))
            .findFirst()
            .orElseThrow();
    Base64.Decoder decoder = Base64.getUrlDecoder();
    new Ed25519Verify(decoder.decode(key.getX()))
        .verify(decoder.decode(card.getSignature().getValue()), CardSigner.content(card));
  }
}
