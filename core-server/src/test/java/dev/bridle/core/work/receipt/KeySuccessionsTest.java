package dev.bridle.core.work.receipt;

import static dev.bridle.core.Refusal.assertRefused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc.OAuthAdminServiceBlockingStub;
import dev.bridle.admin.v1.RevokeSigningKeyRequest;
import dev.bridle.admin.v1.RotateSigningKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.statement.KeySuccession;
import dev.bridle.relay.v1.EnforcerServiceGrpc;
import dev.bridle.relay.v1.GetEnforcerKeysRequest;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import io.grpc.Channel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How devices learn which receipt key takes the place of another one. */
final class KeySuccessionsTest {
  @TempDir private Path directory;
  private TestCore core;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, TaskOptions.DEFAULT);
  }

  @AfterEach
  void stop() {
    core.close();
  }

  private OAuthAdminServiceBlockingStub admin() {
    return OAuthAdminServiceGrpc.newBlockingStub(core.operator());
  }

  private String rotate(boolean endOldKeys) {
    return admin()
        .rotateSigningKey(RotateSigningKeyRequest.newBuilder().setEndOldKeys(endOldKeys).build())
        .getReceiptKey()
        .getId();
  }

  private void declareCompromised(String key) {
    var unused =
        admin()
            .revokeSigningKey(
                RevokeSigningKeyRequest.newBuilder()
                    .setKeyId(key)
                    .setCompromisedSince(Timestamps.fromMillis(1_700_000_000_000L))
                    .build());
  }

  private Channel device() {
    return core.as("ada", List.of("harp:approve"), List.of());
  }

  private JsonNode published() {
    return StrictJson.parse(
        EnforcerServiceGrpc.newBlockingStub(device())
            .getEnforcerKeys(GetEnforcerKeysRequest.newBuilder().setEnforcerId("bridle").build())
            .getDocument()
            .toByteArray());
  }

  private String signing() {
    return published().at("/keys/0/kid").asText();
  }

  /** Returns which key names which one, in the order of the answer. */
  private List<String> chain() {
    List<String> chain = new ArrayList<>();
    for (JsonNode signed : published().get("successions")) {
      chain.add(
          signed.at("/statement/old_key_id").asText()
              + " "
              + signed.at("/statement/new_key/kid").asText());
    }
    return chain;
  }

  @Test
  void eachKeySignsWhichOneTakesItsPlaceAndTheOldestIsFirst() {
    String first = signing();
    assertThat(chain()).isEmpty();

    String second = rotate(false);
    String third = rotate(false);

    assertThat(chain()).containsExactly(first + " " + second, second + " " + third);
    assertThat(published().get("keys"))
        .extracting(key -> key.get("kid").asText())
        .containsExactly(third, second, first);
  }

  @Test
  void theStatementNamesTheKeyWholeAndIsSignedByTheOldOne() {
    String first = signing();
    String second = rotate(false);

    JsonNode answer = published();
    KeySet keys = KeySet.parse(answer.toString().getBytes(UTF_8));
    JsonNode statement = answer.at("/successions/0/statement");
    JsonNode signature = answer.at("/successions/0/signature");
    assertThat(answer.at("/successions/0")).hasSize(2);
    assertThat(statement.get("format").asText()).isEqualTo(KeySuccession.FORMAT);
    assertThat(statement.get("installation").asText()).startsWith("installation_");
    assertThat(statement.get("new_key"))
        .isEqualTo(
            StrictJson.parse(
                ("{\"crv\":\"Ed25519\",\"kid\":\""
                        + second
                        + "\",\"kty\":\"OKP\",\"x\":\""
                        + Base64Url.encode(keys.find(second).orElseThrow().publicKey())
                        + "\"}")
                    .getBytes(UTF_8)));
    assertThat(statement).hasSize(5);
    assertThat(signature.get("key_id").asText()).isEqualTo(first);
    assertThat(signature.get("algorithm").asText()).isEqualTo("Ed25519");
    assertThat(signature.get("signed_at")).isEqualTo(statement.get("signed_at"));
    assertThat(
            keys.find(first)
                .orElseThrow()
                .verifies(
                    CanonicalJson.bytes(statement),
                    Base64Url.decode(signature.get("signature").asText()).orElseThrow()))
        .isTrue();
  }

  @Test
  void whereTheOldKeysEndAtOnceNoneVouchesForTheNewOne() {
    rotate(false);
    int before = chain().size();
    String ended = signing();

    String after = rotate(true);

    assertThat(chain()).hasSize(before).noneMatch(step -> step.endsWith(after));
    String next = rotate(false);
    assertThat(chain()).contains(after + " " + next).noneMatch(step -> step.startsWith(ended));
  }

  @Test
  void aCompromisedKeyVouchesForNothingNeitherNewNorOld() {
    String first = signing();
    String second = rotate(false);
    String third = rotate(false);

    declareCompromised(second);
    assertThat(chain()).containsExactly(first + " " + second);

    declareCompromised(third);
    String fourth = signing();
    assertThat(fourth).isNotEqualTo(third);
    assertThat(chain()).containsExactly(first + " " + second);
  }

  @Test
  void theAnswerIsBounded() {
    for (int i = 0; i <= KeySuccessions.MOST; i++) {
      rotate(false);
    }

    assertThat(published().get("keys")).hasSize(KeySuccessions.MOST);
    assertThat(published().get("successions")).hasSize(KeySuccessions.MOST - 1);
    assertThat(chain().get(KeySuccessions.MOST - 2)).endsWith(signing());
  }

  @Test
  void theKeysOfOthersAreUnknownAndAScopeOfHarpIsNeeded() {
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "",
        () ->
            EnforcerServiceGrpc.newBlockingStub(device())
                .getEnforcerKeys(GetEnforcerKeysRequest.newBuilder().setEnforcerId("ci").build()));
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () ->
            EnforcerServiceGrpc.newBlockingStub(core.as("ada", List.of("receipts:read"), List.of()))
                .getEnforcerKeys(
                    GetEnforcerKeysRequest.newBuilder().setEnforcerId("bridle").build()));
  }

  @Test
  void keysFollowEachOtherInTimeAlsoWhereTheClockWasSetBack() {
    SetClock clock = new SetClock("2026-11-21T10:00:00Z");
    try (KeyValueStore store = SuiteStore.open(directory.resolve("clock"));
        CoreOver over = CoreOver.start(store, clock)) {
      OAuthAdminServiceBlockingStub keys = OAuthAdminServiceGrpc.newBlockingStub(over.operator());
      clock.set("2026-11-21T12:00:00Z");
      var second = keys.rotateSigningKey(RotateSigningKeyRequest.getDefaultInstance());
      clock.set("2026-11-21T10:30:00Z");
      var third = keys.rotateSigningKey(RotateSigningKeyRequest.getDefaultInstance());

      JsonNode document =
          StrictJson.parse(
              EnforcerServiceGrpc.newBlockingStub(over.of("default"))
                  .getEnforcerKeys(
                      GetEnforcerKeysRequest.newBuilder().setEnforcerId("bridle").build())
                  .getDocument()
                  .toByteArray());

      assertThat(document.at("/keys/0/kid").asText()).isEqualTo(third.getReceiptKey().getId());
      assertThat(document.at("/successions/1/statement/old_key_id").asText())
          .isEqualTo(second.getReceiptKey().getId());
      long signed =
          Instant.parse(document.at("/successions/1/statement/signed_at").asText())
              .getEpochSecond();
      assertThat(document.at("/keys/1/exp").asLong())
          .as("the old key counted when it named the new one")
          .isGreaterThan(signed);
    }
  }
}
