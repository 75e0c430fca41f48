package dev.bridle.harp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.CoreEnvelope;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.prompt.Prompt;
import dev.bridle.harp.session.SessionEvent;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each fault of a document has its code. */
final class FaultsTest {
  private static void assertRefused(HarpErrorCode code, String reason, ThrowingCallable reading) {
    assertThatThrownBy(reading)
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> {
              assertThat(refused.code()).as(refused.getMessage()).isEqualTo(code);
              assertThat(refused.reason()).isEqualTo(reason);
            });
  }

  private static byte[] artifact(Consumer<ObjectNode> change) {
    ObjectNode json = Samples.artifact();
    change.accept(json);
    return Samples.bytes(json);
  }

  private static byte[] decision(Consumer<ObjectNode> change) {
    ObjectNode json = Samples.decision();
    change.accept(json);
    return Samples.bytes(json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "requestId",
        "artifactType",
        "repoRef",
        "payload",
        "createdAt",
        "expiresAt",
        "artifactHashAlg",
        "artifactHash"
      })
  void anArtifactNeedsEachOfItsMembers(String member) {
    assertRefused(
        HarpErrorCode.TRANSPORT,
        "schema",
        () -> Artifact.parse(artifact(json -> json.remove(member))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "requestId",
        "artifactHashAlg",
        "artifactHash",
        "repoRef",
        "decision",
        "scope",
        "expiresAt",
        "nonce",
        "sigAlg",
        "signerKeyId",
        "signature"
      })
  void aDecisionNeedsEachOfItsMembers(String member) {
    assertRefused(
        HarpErrorCode.TRANSPORT,
        "schema",
        () -> Decision.parse(decision(json -> json.remove(member))));
  }

  @ParameterizedTest
  @CsvSource({
    "artifactType, deploy.review, UNSUPPORTED, unknown_artifact_type",
    "artifactHashAlg, SHA-1, UNSUPPORTED, unknown_artifact_hash_alg",
    "artifactHash, 8E32, TRANSPORT, schema",
    "createdAt, yesterday, TRANSPORT, schema",
    "expiresAt, 2026-02-30T00:00:00Z, TRANSPORT, schema",
    "requestId, '', TRANSPORT, schema",
    "stranger, x, TRANSPORT, schema",
    "payload, text, TRANSPORT, schema",
  })
  void aMemberOfAnArtifactThatIsWrongIsRefused(
      String member, String value, HarpErrorCode code, String reason) {
    assertRefused(code, reason, () -> Artifact.parse(artifact(json -> json.put(member, value))));
  }

  @ParameterizedTest
  @CsvSource({
    "decision, perhaps, UNSUPPORTED, unknown_decision",
    "scope, forever, SCOPE, unknown_scope",
    "sigAlg, RS256, UNSUPPORTED, unknown_sig_alg",
    "signature, AAAA, SIGNATURE_INVALID, signature",
    "signature, not base64!, SIGNATURE_INVALID, signature",
    "stranger, x, TRANSPORT, schema",
  })
  void aMemberOfADecisionThatIsWrongIsRefused(
      String member, String value, HarpErrorCode code, String reason) {
    assertRefused(code, reason, () -> Decision.parse(decision(json -> json.put(member, value))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.0",
        "1e3",
        "-0",
        "0.5",
        "null",
        "10E2",
        "[null]",
        "{\"b\":1.5}",
        "9007199254740992",
        "-9007199254740992",
        "99999999999999999999",
        "1e400",
        "\"\\ud800\""
      })
  void whatImplementationsSpellDifferentlyHasNoCanonicalForm(String value) {
    byte[] json =
        Samples.ARTIFACT
            .replace("\"kind\":\"plan\"", "\"kind\":" + value)
            .replaceFirst("}$", ",\"artifactHash\":\"" + Samples.ARTIFACT_HASH + "\"}")
            .getBytes(UTF_8);

    assertRefused(HarpErrorCode.CANONICALIZATION, "canonical", () -> Artifact.parse(json));
  }

  @Test
  void numbersWithinTextsAreNoNumbers() throws Exception {
    byte[] json =
        artifact(json1 -> ((ObjectNode) json1.get("payload")).put("cost \"1.0\\", "1e3 \\\" 2.5"));

    assertThat(Artifact.parse(json).payload().size()).isEqualTo(5);
  }

  @Test
  void objectsWhoseOrdersDifferAreRefusedWhenReadAndWhenMade() {
    // U+FB03 is after U+1D306 by UTF-16 code unit, and before it by code point.
    ObjectNode object = Samples.object("{\"\\ufb03\":1,\"\\ud834\\udf06\":2}");

    assertRefused(HarpErrorCode.CANONICALIZATION, "canonical", () -> HarpJson.canonical(object));
    assertRefused(
        HarpErrorCode.CANONICALIZATION,
        "canonical",
        () -> HarpJson.parse(Samples.bytes(object), 1000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{\"requestId\":\"x", "[]", "\"text\""})
  void whatIsNoObjectIsRefused(String json) {
    assertRefused(HarpErrorCode.TRANSPORT, "json", () -> Artifact.parse(json.getBytes(UTF_8)));
  }

  @Test
  void anObjectWithAMemberTwiceHasNoCanonicalForm() {
    assertRefused(
        HarpErrorCode.CANONICALIZATION,
        "canonical",
        () -> Artifact.parse("{\"a\":1,\"a\":2}".getBytes(UTF_8)));
  }

  @Test
  void eachPrefixOfADocumentIsRefused() {
    byte[] whole = Samples.bytes(Samples.artifact());
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertRefused(HarpErrorCode.TRANSPORT, "json", () -> Artifact.parse(part));
    }
  }

  @Test
  void whatIsTooLargeIsRefusedBeforeItIsRead() {
    assertRefused(
        HarpErrorCode.TRANSPORT,
        "too_large",
        () -> Artifact.parse(new byte[Artifact.MAX_BYTES + 1]));
    assertRefused(
        HarpErrorCode.PROMPT_TOO_LARGE,
        "too_large",
        () -> Prompt.parse(new byte[Prompt.MAX_BYTES + 1]));
  }

  @Test
  void eachChangeOfAnArtifactIsSeenByItsHash() throws Exception {
    for (String member : List.of("requestId", "repoRef", "sessionId", "baseRevision")) {
      Artifact changed = Artifact.parse(artifact(json -> json.put(member, "other")));
      assertRefused(HarpErrorCode.HASH_MISMATCH, "hash", changed::verifyHash);
    }
    Artifact payload =
        Artifact.parse(artifact(json -> ((ObjectNode) json.get("payload")).put("risk", "low")));
    assertRefused(HarpErrorCode.HASH_MISMATCH, "hash", payload::verifyHash);
    Artifact extended = Artifact.parse(artifact(json -> json.putObject("extensions")));
    assertRefused(HarpErrorCode.HASH_MISMATCH, "hash", extended::verifyHash);
  }

  @Test
  void aPromptIsReadStrictly() {
    String prompt =
        "{\"artifactType\":\"prompt.send\",\"createdAt\":\"2026-02-21T12:01:00Z\","
            + "\"promptHashAlg\":\"SHA-256\",\"requestId\":\"r\",\"target\":\"%s\",\"text\":\"%s\","
            + "\"promptHash\":\""
            + "0".repeat(64)
            + "\"}";

    assertRefused(
        HarpErrorCode.PROMPT_TARGET_UNSUPPORTED,
        "unknown_target",
        () -> Prompt.parse(prompt.formatted("fridge", "hi").getBytes(UTF_8)));
    assertRefused(
        HarpErrorCode.TRANSPORT,
        "schema",
        () -> Prompt.parse(prompt.formatted("agentChat", "").getBytes(UTF_8)));
    assertRefused(
        HarpErrorCode.HASH_MISMATCH,
        "hash",
        () -> Prompt.parse(prompt.formatted("agentChat", "hi").getBytes(UTF_8)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'sessionId':'s','eventType':'session.pause'}|UNSUPPORTED|unknown_event_type",
        "{'sessionId':'s','eventType':'session.start','createdAt':'2026-02-21T12:00:00Z'}"
            + "|TRANSPORT|schema",
        "{'sessionId':'s','eventType':'session.status','state':'asleep',"
            + "'updatedAt':'2026-02-21T12:00:00Z'}|SESSION_INVALID_STATE|unknown_state",
        "{'sessionId':'s','eventType':'session.end','reason':'bored',"
            + "'endedAt':'2026-02-21T12:00:00Z'}|TRANSPORT|schema",
      })
  void anEventOfASessionIsReadStrictly(String json, HarpErrorCode code, String reason) {
    byte[] bytes = json.replace('\'', '"').getBytes(UTF_8);

    assertRefused(code, reason, () -> SessionEvent.parse(bytes));
  }

  @Test
  void anEnvelopeNamesKnownActors() throws Exception {
    String envelope =
        "{\"envelopeId\":\"e\",\"msgType\":\"artifact.submit\",\"sender\":{\"actor\":\"%s\","
            + "\"deviceId\":\"d1\"},\"recipient\":{\"actor\":\"MA\",\"deviceId\":\"d2\"},"
            + "\"createdAt\":\"2026-02-21T12:00:00Z\",\"body\":{}}";

    CoreEnvelope read = CoreEnvelope.parse(envelope.formatted("HE").getBytes(UTF_8));
    assertThat(read.senderDevice()).isEqualTo("d1");
    assertThat(read.recipientDevice()).isEqualTo("d2");
    assertRefused(
        HarpErrorCode.TRANSPORT,
        "schema",
        () -> CoreEnvelope.parse(envelope.formatted("XX").getBytes(UTF_8)));
  }
}
