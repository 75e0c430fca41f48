package dev.bridle.cli.card;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.discovery.v1.A2aAgentCard;
import dev.bridle.discovery.v1.A2aAgentSkill;
import dev.bridle.discovery.v1.A2aSecurityRequirement;
import dev.bridle.discovery.v1.A2aSecurityScheme;
import dev.bridle.discovery.v1.A2aSecurityScopes;
import dev.bridle.discovery.v1.CardSignature;
import dev.bridle.discovery.v1.HarnAgentCard;
import dev.bridle.discovery.v1.HarnAgentInterface;
import dev.bridle.discovery.v1.Transport;
import dev.bridle.fixtures.client.Json;
import dev.bridle.gateway.json.JsonWriter;
import dev.bridle.gateway.json.MessagePlans;
import dev.bridle.quota.v1.Quota;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.skill.v1.Skill;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The core signs what the gateway serves: both spell a card alike. */
final class CardSpellingTest {
  private static final JsonWriter WIRE = new JsonWriter(new MessagePlans());

  @Property(tries = 300)
  void theCoreSpellsACardAsTheGatewayDoes(@ForAll("cards") HarnAgentCard card) {
    assertThat(Json.parse(ResourceJson.whole(card).toStringUtf8()))
        .isEqualTo(Json.parse(new String(WIRE.write(card), UTF_8)));
  }

  @Provide
  Arbitrary<HarnAgentCard> cards() {
    Arbitrary<List<Skill>> skills = skill().list().ofMaxSize(3);
    Arbitrary<List<String>> words = text().list().ofMaxSize(3);
    return Combinators.combine(text(), skills, a2aCard(), words, json(), bits())
        .as(CardSpellingTest::card);
  }

  private static HarnAgentCard card(
      String text,
      List<Skill> skills,
      A2aAgentCard a2a,
      List<String> words,
      ByteString json,
      int bits) {
    HarnAgentCard.Builder card =
        HarnAgentCard.newBuilder()
            .setId("card")
            .setCreatedAt(Timestamp.newBuilder().setSeconds(bits * 77_777L).setNanos(123_456_789))
            .setName(text)
            .setA2ACard(a2a)
            .addAllSkills(skills)
            .addAllPersonaIds(words)
            .addAllCapabilities(words);
    if ((bits & 1) != 0) {
      card.setMetadata(json).setProvider(json).setPublicUrl(text);
    }
    if ((bits & 2) != 0) {
      card.setReceiptPolicy(text).setUpdatedAt(Timestamp.newBuilder().setSeconds(bits));
    }
    if ((bits & 4) != 0) {
      card.addHarnInterfaces(
          HarnAgentInterface.newBuilder().setTransport(Transport.TRANSPORT_SSE).setUrl(text));
      card.addHarnInterfaces(HarnAgentInterface.newBuilder().setUrl(text));
      card.setSignature(CardSignature.newBuilder().setKeyId(text));
    }
    if ((bits & 8) != 0) {
      card.addQuotas(Quota.newBuilder().setScope(QuotaScope.QUOTA_SCOPE_TENANT));
    }
    return card.build();
  }

  private static Arbitrary<A2aAgentCard> a2aCard() {
    return Combinators.combine(text(), json(), bits())
        .as(
            (text, json, bits) -> {
              A2aAgentCard.Builder card = A2aAgentCard.newBuilder().setName(text);
              if ((bits & 1) != 0) {
                card.setIconUrl(text).getCapabilitiesBuilder().setStreaming(true);
              }
              if ((bits & 2) != 0) {
                card.putSecuritySchemes(
                        text, A2aSecurityScheme.newBuilder().setMembers(json).build())
                    .addSecurity(
                        A2aSecurityRequirement.newBuilder()
                            .putSchemes(
                                text, A2aSecurityScopes.newBuilder().addScopes(text).build()));
              }
              if ((bits & 4) != 0) {
                card.addSkills(A2aAgentSkill.newBuilder().setId(text).setInputSchema(json));
              }
              return card.build();
            });
  }

  private static Arbitrary<Skill> skill() {
    return Combinators.combine(text(), json(), bits())
        .as(
            (text, json, bits) -> {
              Skill.Builder skill = Skill.newBuilder().setId(text).setDescription(text);
              if ((bits & 1) != 0) {
                skill.setInputSchema(json);
              }
              if ((bits & 2) != 0) {
                skill.setMetadata(json);
              }
              return skill.build();
            });
  }

  private static Arbitrary<String> text() {
    return Arbitraries.strings().ofMaxLength(8).filter(CardSpellingTest::isUnicode);
  }

  private static boolean isUnicode(String text) {
    return UTF_8.newEncoder().canEncode(text);
  }

  private static Arbitrary<ByteString> json() {
    return Arbitraries.of("{}", "{\"b\":[1,2.50],\"a\":null}", "{\"\\u00e4\":\"\\ud83d\\ude00\"}")
        .map(ByteString::copyFromUtf8);
  }

  private static Arbitrary<Integer> bits() {
    return Arbitraries.integers().between(0, 15);
  }
}
