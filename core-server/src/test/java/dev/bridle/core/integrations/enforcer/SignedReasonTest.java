package dev.bridle.core.integrations.enforcer;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.worker.v1.TaskLease;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reason that a person gives is signed, by whichever way it comes, or it does not count. */
final class SignedReasonTest extends AskedDevices {
  private static final String TEXT = "Only on \u201cstaging\u201d.";

  private static GivenReason reason(String text) {
    return GivenReason.salted(text, GivenReason.Salt.random(new SecureRandom()));
  }

  private static ObjectNode besides(Decision decision, ObjectNode trace) {
    ObjectNode envelope =
        JsonNodeFactory.instance
            .objectNode()
            .put("envelopeId", decision.nonce())
            .put("msgType", "decision.submit")
            .put("createdAt", "2026-02-21T12:00:00Z");
    envelope.putObject("sender").put("actor", "MA").put("deviceId", "ada-1");
    envelope.putObject("recipient").put("actor", "HE").put("deviceId", "bridle");
    envelope.set("trace", trace);
    envelope.set("body", decision.json());
    return envelope;
  }

  private static ObjectNode trace(GivenReason reason) {
    ObjectNode trace =
        JsonNodeFactory.instance.objectNode().put("dev.bridle.reason", reason.text());
    reason.salt().ifPresent(salt -> trace.put("dev.bridle.reasonSalt", salt.encoded()));
    return trace;
  }

  private PermissionAnswer answer(String request, PermissionStatus status) {
    return awaitStatus(request, status).getResponse().getAnswers(0);
  }

  @Test
  void itIsKeptWithItsSaltByEitherWay() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    String first = ask(lease, "1", "make one").getRequestId();
    Artifact shown = awaitAsked(phone);
    GivenReason reason = reason(TEXT);
    assertThat(shown.payload().at("/accepts/0").asText()).isEqualTo("reason");

    Decision direct = phone.sign(Phone.once(shown, Answer.DENY).withReason(reason));
    var unused = phone.sendJson(besides(direct, trace(reason)));

    PermissionAnswer denied = answer(first, PermissionStatus.PERMISSION_STATUS_DENIED);
    assertThat(denied.getReason()).isEqualTo(TEXT);
    assertThat(denied.getEvidence().getReasonSalt())
        .isEqualTo(reason.salt().orElseThrow().encoded());
    assertThat(phone.sendJson(besides(direct, trace(reason))).at("/msgType").asText())
        .as("the same again is answered alike")
        .isEqualTo("decision.accepted");

    String second = ask(next(lease.getTask().getId()), "2", "make two").getRequestId();
    Artifact other = awaitAnother(phone, shown);
    Decision overRelay = phone.sign(Phone.once(other, Answer.ALLOW).withReason(reason));
    phone.send(other.requestId(), phone.submission(overRelay, reason));
    assertThat(answer(second, PermissionStatus.PERMISSION_STATUS_APPROVED).getReason())
        .isEqualTo(TEXT);
  }

  @Test
  void aReasonThatIsNotTheSignedOneIsRefusedAndChangesNothing() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = ask(lease, "1", "make one").getRequestId();
    Artifact shown = awaitAsked(phone);
    GivenReason reason = reason(TEXT);
    Decision signed = phone.sign(Phone.once(shown, Answer.ALLOW).withReason(reason));
    Decision silent = phone.sign(Phone.once(shown, Answer.ALLOW));
    String longText = "x".repeat(GivenReason.MAX_CHARS + 1);
    GivenReason tooLong = reason(longText);
    GivenReason empty = reason("");

    for (ObjectNode document :
        List.of(
            signed.json(),
            besides(signed, JsonNodeFactory.instance.objectNode()),
            besides(signed, trace(reason("Go ahead."))),
            besides(signed, trace(reason(TEXT))),
            besides(signed, trace(GivenReason.unsigned(TEXT))),
            besides(signed, trace(reason).put("dev.bridle.reasonSalt", "AAAA")),
            besides(silent, trace(reason)))) {
      assertRefused(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "", () -> phone.sendJson(document));
    }
    for (ObjectNode document :
        List.of(
            besides(signed, trace(reason).put("dev.bridle.reason", 7)),
            besides(
                phone.sign(Phone.once(shown, Answer.ALLOW).withReason(tooLong)), trace(tooLong)),
            besides(phone.sign(Phone.once(shown, Answer.ALLOW).withReason(empty)), trace(empty)))) {
      assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "", () -> phone.sendJson(document));
    }
    assertThat(read(request).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);

    var unused = phone.sendJson(besides(silent, trace(GivenReason.unsigned("Fine."))));
    PermissionAnswer approved = answer(request, PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(approved.getReason()).isEqualTo("Fine.");
    assertThat(approved.getEvidence().hasReasonSalt()).as("it is not signed").isFalse();
  }

  @Test
  void aRelayThatChangesOrDropsItSpoilsTheDecisionAndIsNamed() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = ask(lease, "1", "make one").getRequestId();
    Artifact shown = awaitAsked(phone);
    GivenReason reason = reason(TEXT);
    Decision signed = phone.sign(Phone.once(shown, Answer.ALLOW).withReason(reason));
    ObjectNode changed = phone.submission(signed, reason);
    ((ObjectNode) changed.get("body")).put("reason", "Go ahead.");

    phone.send(shown.requestId(), changed);
    Artifact again = awaitAnother(phone, shown);
    Decision second = phone.sign(Phone.once(again, Answer.ALLOW).withReason(reason));
    ObjectNode dropped = phone.submission(second, reason);
    ((ObjectNode) dropped.get("body")).remove("reason");
    phone.send(again.requestId(), dropped);

    await().until(() -> refusals(lease).size() == 2);
    assertThat(refusals(lease)).allMatch(payload -> payload.contains("HARP_ERR_HASH_MISMATCH"));
    assertThat(read(request).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
  }
}
