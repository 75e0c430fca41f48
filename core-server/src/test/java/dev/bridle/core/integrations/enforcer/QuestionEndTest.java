package dev.bridle.core.integrations.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.receipt.v1.GetReceiptKeysRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import org.junit.jupiter.api.Test;

/** A device learns how a question has ended that it was asked, and from whom. */
final class QuestionEndTest extends AskedDevices {
  @Test
  void aSecondPhoneLearnsWhoHasAllowedItByTheServersSignature() {
    Phone first = Phone.of(core, "ben", "ben-1");
    Phone second = Phone.of(core, "carl", "carl-1");
    String request = ask(begin(), "s", "make deploy").getRequestId();
    Artifact asked = awaitAsked(second);

    first.decide(awaitAsked(first), Answer.ALLOW);
    var unused = awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED);

    JsonNode end = awaitEnd(second, asked.requestId());
    assertThat(end.at("/statement/end").asText()).isEqualTo("approved");
    assertThat(end.at("/statement/by").asText()).isEqualTo("ben");
    assertThat(end.at("/statement/request_id").asText()).isEqualTo(asked.requestId());
    assertThat(end.at("/statement/artifact_hash").asText()).isEqualTo(asked.hash());
    assertThat(isSigned(end)).isTrue();
  }

  @Test
  void whatWasAnsweredByACredentialEndsAtEachPhoneToo() {
    Phone phone = Phone.of(core, "ben", "ben-1");
    String request = ask(begin(), "s", "rm -r build").getRequestId();
    Artifact asked = awaitAsked(phone);

    var unused = deny("carl", request);

    JsonNode end = awaitEnd(phone, asked.requestId());
    assertThat(end.at("/statement/end").asText()).isEqualTo("denied");
    assertThat(end.at("/statement/by").asText()).isEqualTo("carl");
    assertThat(isSigned(end)).isTrue();
  }

  private static JsonNode awaitEnd(Phone phone, String request) {
    await()
        .until(() -> phone.relay().statusEnvelope(request).at("/trace/dev.bridle.end").isObject());
    return phone.relay().statusEnvelope(request).at("/trace/dev.bridle.end");
  }

  private boolean isSigned(JsonNode end) {
    VerificationKey key =
        KeySet.parse(
                ReceiptServiceGrpc.newBlockingStub(core.owner())
                    .getReceiptKeys(GetReceiptKeysRequest.getDefaultInstance())
                    .getDocument()
                    .toByteArray())
            .find(end.at("/signature/key_id").asText())
            .orElseThrow();
    return key.verifies(
        CanonicalJson.bytes(end.get("statement")),
        Base64Url.decode(end.at("/signature/signature").asText()).orElseThrow());
  }
}
