package dev.bridle.core.integrations.relay;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.relay.v1.CancelExchangeRequest;
import dev.bridle.relay.v1.CreateApproverRequest;
import dev.bridle.relay.v1.DismissRequest;
import dev.bridle.relay.v1.GetExchangeRequest;
import dev.bridle.relay.v1.ListInboxRequest;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.RelayAdminServiceGrpc;
import dev.bridle.relay.v1.RelayServiceGrpc;
import dev.bridle.relay.v1.RevokePartyRequest;
import dev.bridle.relay.v1.SubmitAckRequest;
import dev.bridle.relay.v1.SubmitArtifactRequest;
import dev.bridle.relay.v1.SubmitDecisionRequest;
import dev.bridle.relay.v1.WaitDecisionRequest;
import dev.bridle.relay.v1.WithdrawRequest;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.List;

/** Calls the relay as a party, and reads its envelopes. */
public final class RelayClient {
  private final RelayServiceGrpc.RelayServiceBlockingStub relay;
  private final RelayAdminServiceGrpc.RelayAdminServiceBlockingStub admin;

  public RelayClient(Channel caller) {
    this.relay = RelayServiceGrpc.newBlockingStub(caller);
    this.admin = RelayAdminServiceGrpc.newBlockingStub(caller);
  }

  /** Creates an approver of an actor; of the caller's own where that is empty. */
  public void approver(String id, String actor) {
    var unused =
        admin.createApprover(
            CreateApproverRequest.newBuilder().setApproverId(id).setActor(actor).build());
  }

  public void revoke(PartyRole role, String id) {
    var unused =
        admin.revokeParty(RevokePartyRequest.newBuilder().setRole(role).setPartyId(id).build());
  }

  public JsonNode cancel(String request) {
    return SampleEnvelopes.json(
        admin
            .cancelExchange(CancelExchangeRequest.newBuilder().setRequestId(request).build())
            .getEnvelope());
  }

  public JsonNode submit(ByteString artifact) {
    return SampleEnvelopes.json(
        relay
            .submitArtifact(SubmitArtifactRequest.newBuilder().setEnvelope(artifact).build())
            .getEnvelope());
  }

  public JsonNode decide(ByteString decision) {
    return SampleEnvelopes.json(
        relay
            .submitDecision(SubmitDecisionRequest.newBuilder().setEnvelope(decision).build())
            .getEnvelope());
  }

  public JsonNode acknowledge(ByteString ack) {
    return SampleEnvelopes.json(
        relay.submitAck(SubmitAckRequest.newBuilder().setEnvelope(ack).build()).getEnvelope());
  }

  public void dismiss(String approver, String request) {
    var unused =
        relay.dismiss(
            DismissRequest.newBuilder().setApproverId(approver).setRequestId(request).build());
  }

  public JsonNode withdraw(String request, String reason) {
    return SampleEnvelopes.json(
        relay
            .withdraw(WithdrawRequest.newBuilder().setRequestId(request).setReason(reason).build())
            .getEnvelope());
  }

  /** Returns the state of an exchange, as the wire spells it. */
  public String state(String request) {
    return status(request).path("state").asText();
  }

  /** Returns the body of an exchange's status. */
  public JsonNode status(String request) {
    return statusEnvelope(request).path("body");
  }

  /** Returns an exchange's status with what is beside its body. */
  public JsonNode statusEnvelope(String request) {
    return SampleEnvelopes.json(
        relay
            .getExchange(GetExchangeRequest.newBuilder().setRequestId(request).build())
            .getEnvelope());
  }

  /** Waits for a decision, and returns its envelope; empty bytes where there is none. */
  public ByteString await(String request, int seconds) {
    return relay
        .waitDecision(
            WaitDecisionRequest.newBuilder()
                .setRequestId(request)
                .setTimeoutSeconds(seconds)
                .build())
        .getEnvelope();
  }

  /** Returns all that waits for an approver. */
  public List<JsonNode> requests(String approver) {
    return all(inbox(PartyRole.PARTY_ROLE_APPROVER, approver));
  }

  /** Returns the sealed notices that wait for an approver. */
  public List<JsonNode> notices(String approver) {
    List<JsonNode> found = new ArrayList<>();
    ListInboxRequest request = inbox(PartyRole.PARTY_ROLE_APPROVER, approver).build();
    SampleEnvelopes.json(relay.listInbox(request).getEnvelope())
        .path("trace")
        .path("dev.bridle.notices")
        .forEach(found::add);
    return found;
  }

  /** Returns what an approver has not decided in time. */
  public List<JsonNode> expired(String approver) {
    return all(inbox(PartyRole.PARTY_ROLE_APPROVER, approver).setExpired(true));
  }

  /** Returns all that waits for an enforcer. */
  public List<JsonNode> decisions(String enforcer) {
    return all(inbox(PartyRole.PARTY_ROLE_ENFORCER, enforcer));
  }

  static ListInboxRequest.Builder inbox(PartyRole role, String party) {
    return ListInboxRequest.newBuilder().setRole(role).setPartyId(party);
  }

  /** Returns the body of a page. */
  public JsonNode page(ListInboxRequest.Builder request) {
    return SampleEnvelopes.json(relay.listInbox(request.build()).getEnvelope()).path("body");
  }

  private List<JsonNode> all(ListInboxRequest.Builder request) {
    List<JsonNode> items = new ArrayList<>();
    JsonNode page = page(request);
    page.path("items").forEach(items::add);
    while (page.path("nextCursor").isTextual()) {
      page = page(request.setCursor(page.path("nextCursor").textValue()));
      page.path("items").forEach(items::add);
    }
    return items;
  }

  /** Returns the ids of the requests of envelopes. */
  public static List<String> ids(List<JsonNode> envelopes) {
    return envelopes.stream().map(each -> each.path("requestId").asText()).toList();
  }
}
