package dev.bridle.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.core.RequestedActions;
import dev.bridle.harp.core.Scope;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.AckSubmit;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.harp.rule.ExchangeState;
import dev.bridle.harp.rule.RequestState;
import dev.bridle.harp.rule.RequestState.Event;
import dev.bridle.proof.key.Base64Url;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What travels through a gateway, and in which states it is. */
final class GatewayTest {
  private final Artifact artifact;
  private final Decision decision;

  GatewayTest() throws Exception {
    artifact = Samples.command("ls");
    decision =
        Decision.sign(
            Decision.Content.once(
                Decision.Subject.of(artifact), Answer.ALLOW, Samples.NOW.plusSeconds(60), "n1"),
            "phone-1",
            Samples.key(1));
  }

  private static ObjectNode envelope(String type, ObjectNode body) {
    ObjectNode json =
        Samples.object(
            "{\"requestId\":\"request-1\",\"createdAt\":\"2026-02-21T12:01:00Z\","
                + "\"sender\":{\"approverId\":\"app-1\"}}");
    json.put("msgType", type).set("body", body);
    return json;
  }

  private ObjectNode submitted() throws Exception {
    return envelope(
            "decision.submit",
            DecisionSubmit.body(decision, Optional.of(GivenReason.unsigned("fine"))))
        .put("expiresAt", decision.json().get("expiresAt").textValue());
  }

  private static DecisionSubmit read(ObjectNode envelope) throws HarpException {
    return DecisionSubmit.of(GatewayEnvelope.parse(Samples.bytes(envelope)));
  }

  private Decision verified(ObjectNode envelope) throws HarpException {
    return read(envelope)
        .verified(
            artifact.repoRef(), artifact.json().get("expiresAt").textValue(), Samples.publicKey(1));
  }

  @Test
  void theEnforcerRebuildsWhatWasSigned() throws Exception {
    DecisionSubmit body = read(submitted());
    assertThat(body.answer()).isEqualTo(Answer.ALLOW);
    assertThat(body.reason()).contains(GivenReason.unsigned("fine"));

    assertThat(verified(submitted()).json()).isEqualTo(decision.json());
  }

  @Test
  void theSpellingOfTheGatewayMayBeWhatWasSigned() throws Exception {
    ObjectNode core =
        Decision.Content.once(
                Decision.Subject.of(artifact), Answer.DENY, Samples.NOW.plusSeconds(60), "n1")
            .signable("phone-1", "reject");
    core.put("signature", Base64Url.encode(Samples.key(1).sign(HarpJson.canonical(core))));
    ObjectNode envelope = submitted();
    ((ObjectNode) envelope.get("body"))
        .put("decision", "reject")
        .put("signature", core.get("signature").textValue())
        .remove("decisionHash");

    assertThat(verified(envelope).answer()).isEqualTo(Answer.DENY);
  }

  @Test
  void whatAGatewayAltersIsNotSignedAnyMore() throws Exception {
    ObjectNode turned = submitted();
    ((ObjectNode) turned.get("body")).put("decision", "reject");
    ObjectNode longer = submitted().put("expiresAt", "2026-02-21T13:00:00Z");
    ObjectNode other = submitted().put("requestId", "request-2");
    for (ObjectNode altered : List.of(turned, longer, other)) {
      assertThatThrownBy(() -> verified(altered))
          .isInstanceOfSatisfying(
              HarpException.class,
              refused -> assertThat(refused.code()).isEqualTo(HarpErrorCode.SIGNATURE_INVALID));
    }
    ObjectNode hash = submitted();
    ((ObjectNode) hash.get("body")).put("decisionHash", "sha256:" + "0".repeat(64));
    assertThatThrownBy(() -> verified(hash))
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> assertThat(refused.code()).isEqualTo(HarpErrorCode.HASH_MISMATCH));
  }

  private ObjectNode submitted(Decision wider) throws Exception {
    ObjectNode envelope =
        envelope("decision.submit", DecisionSubmit.body(wider, Optional.empty()))
            .put("expiresAt", wider.json().get("expiresAt").textValue());
    envelope.set(
        "trace", DecisionSubmit.trace(wider, Optional.of("yes"), Optional.empty()).orElseThrow());
    return envelope;
  }

  private Decision forSession(String grant) throws Exception {
    Decision.Content once =
        Decision.Content.once(
            Decision.Subject.of(artifact), Answer.ALLOW, Samples.NOW.plusSeconds(60), "n2");
    return Decision.sign(
        once.withScope(Scope.SESSION, Optional.of("session-1"), Optional.of(grant)),
        "phone-1",
        Samples.key(1));
  }

  @Test
  void aWiderDecisionTravelsWholeAndIsNotRebuiltAsAnotherOne() throws Exception {
    Decision wider = forSession("this_tool");

    assertThat(verified(submitted(wider)).json()).isEqualTo(wider.json());
    assertThat(wider.grant()).contains("this_tool");
    assertThat(read(submitted(wider)).action()).contains("yes");
    ObjectNode without = submitted(wider);
    without.remove("trace");
    assertCode(HarpErrorCode.SIGNATURE_INVALID, without);
    ObjectNode exchanged = submitted(wider);
    ((ObjectNode) exchanged.get("trace")).set("dev.bridle.decision", decision.json());
    assertCode(HarpErrorCode.HASH_MISMATCH, exchanged);
    ObjectNode widened = submitted(wider);
    ((ObjectNode) widened.at("/trace/dev.bridle.decision/policyHints"))
        .put("dev.bridle.grant", "this_session");
    assertCode(HarpErrorCode.SIGNATURE_INVALID, widened);
  }

  private void assertCode(HarpErrorCode code, ObjectNode envelope) {
    assertThatThrownBy(() -> verified(envelope))
        .isInstanceOfSatisfying(
            HarpException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }

  @Test
  void aReasonIsNotSignedAndDecidesNothing() throws Exception {
    ObjectNode other = submitted();
    ((ObjectNode) other.get("body")).put("reason", "never said");

    assertThat(verified(other).json()).isEqualTo(decision.json());
  }

  @ParameterizedTest
  @CsvSource({"payload, UNSUPPORTED", "stranger, TRANSPORT"})
  void aGatewayTakesNoPlaintextAndNothingUnknown(String member, HarpErrorCode code) {
    ObjectNode body =
        Samples.object(
            "{\"artifactType\":\"command.review\",\"artifactHash\":\"sha256:"
                + Samples.ARTIFACT_HASH
                + "\",\"ciphertext\":{\"alg\":\"XChaCha20-Poly1305\",\"data\":\"AA\"},"
                + "\"expiresAt\":\"2026-02-21T12:10:00Z\"}");
    body.putObject(member);

    assertThatThrownBy(
            () -> ArtifactSubmit.of(GatewayEnvelope.of(envelope("artifact.submit", body))))
        .isInstanceOfSatisfying(
            HarpException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }

  @Test
  void anAcknowledgementNamesItsMessage() throws Exception {
    ObjectNode body =
        Samples.object(
            "{\"msgId\":\"m1\",\"status\":\"processed\",\"ackAt\":\"2026-02-21T12:01:00Z\"}");

    assertThat(AckSubmit.of(GatewayEnvelope.of(envelope("ack.submit", body))))
        .isEqualTo(new AckSubmit("m1", true));
  }

  @Test
  void onlyWhatIsApprovedIsExecutedAndTheEndStays() {
    for (RequestState state : RequestState.values()) {
      assertThat(state.after(Event.USED).isPresent()).isEqualTo(state == RequestState.APPROVED);
      for (Event event : Event.values()) {
        assertThat(state.isTerminal() && state.after(event).isPresent()).isFalse();
      }
    }
    assertThat(RequestState.CREATED.after(Event.ALLOWED)).contains(RequestState.APPROVED);
    assertThat(RequestState.APPROVED.after(Event.DENIED)).isEmpty();
    assertThat(RequestState.APPROVED.after(Event.TIME)).contains(RequestState.EXPIRED);
    assertThat(RequestState.DENIED.after(Event.ALLOWED)).isEmpty();
  }

  @Test
  void aDecidedExchangeNeverChanges() {
    for (ExchangeState state : ExchangeState.values()) {
      assertThat(ExchangeState.of(state.spelled())).contains(state);
      assertThat(ExchangeState.DECIDED.mayBecome(state))
          .isEqualTo(state == ExchangeState.DELIVERED);
      assertThat(ExchangeState.DELIVERED.mayBecome(state)).isFalse();
    }
    assertThat(ExchangeState.of("open")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'version':2,'actions':[{'id':'a','caption':'A','decision':'approve'}]}",
        "{'version':1,'actions':[]}",
        "{'version':1,'actions':[{'id':'a','caption':' ','decision':'approve'}]}",
        "{'version':1,'actions':[{'id':'a','caption':'A','decision':'maybe'}]}",
        "{'version':1,'actions':[{'id':'a','caption':'A','decision':'approve'},"
            + "{'id':'A','caption':'B','decision':'reject'}]}",
        "{'version':1,'actions':[{'id':'a','caption':'A','decision':'approve','x':1}]}",
        "{'version':1,'actions':[{'id':'a','caption':'A','decision':'approve'}],'x':1}",
      })
  void aFaultMakesRequestedActionsVoid(String extension) throws Exception {
    assertThat(RequestedActions.of(asking(extension))).isEqualTo(RequestedActions.DEFAULT);
  }

  @Test
  void anEnforcerAsksForActionsThatADeviceShows() throws Exception {
    List<RequestedActions.Action> wanted =
        List.of(
            new RequestedActions.Action("run", "Run it", "primary", Answer.ALLOW),
            new RequestedActions.Action("no", "Not now", "danger", Answer.DENY));
    Artifact asking =
        Artifact.create(
            new Artifact.About(
                "request-1",
                "command.review",
                "local",
                Samples.NOW,
                Samples.NOW.plusSeconds(60),
                Optional.empty()),
            Samples.object("{}"),
            RequestedActions.extension(wanted));

    assertThat(RequestedActions.of(asking)).isEqualTo(wanted);
    assertThat(RequestedActions.find(asking, "run", Answer.ALLOW)).contains(wanted.get(0));
    assertThat(RequestedActions.find(asking, "run", Answer.DENY)).isEmpty();
    assertThat(RequestedActions.extension(List.of())).isEmpty();
    assertThat(RequestedActions.extension(List.of(wanted.get(0), wanted.get(0)))).isEmpty();
  }

  @Test
  void requestedActionsAreShownInTheirOrder() throws Exception {
    assertThat(
            RequestedActions.of(
                asking(
                    "{'version':1,'actions':[{'id':'no','caption':'Not now','decision':'reject',"
                        + "'style':'loud'},{'id':'yes','caption':'Run','decision':'approve'}]}")))
        .containsExactly(
            new RequestedActions.Action("no", "Not now", "secondary", Answer.DENY),
            new RequestedActions.Action("yes", "Run", "secondary", Answer.ALLOW));
  }

  private static Artifact asking(String extension) throws Exception {
    ObjectNode json = Samples.artifact();
    json.putObject("extensions")
        .set("org.harp.requestedActions", Samples.object(extension.replace('\'', '"')));
    return Artifact.of(json);
  }
}
