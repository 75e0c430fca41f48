package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.PartyRecord;
import dev.bridle.record.v1.RelayAuditRecord;
import dev.bridle.relay.v1.CancelExchangeRequest;
import dev.bridle.relay.v1.CancelExchangeResponse;
import dev.bridle.relay.v1.CreateApproverRequest;
import dev.bridle.relay.v1.ListAuditEntriesRequest;
import dev.bridle.relay.v1.ListAuditEntriesResponse;
import dev.bridle.relay.v1.ListDevicesRequest;
import dev.bridle.relay.v1.ListDevicesResponse;
import dev.bridle.relay.v1.ListPartiesRequest;
import dev.bridle.relay.v1.ListPartiesResponse;
import dev.bridle.relay.v1.PairedDevice;
import dev.bridle.relay.v1.Party;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.RelayAdminServiceGrpc;
import dev.bridle.relay.v1.RelayAuditKind;
import dev.bridle.relay.v1.RevokePartyRequest;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.util.function.Function;

/** Administers parties and exchanges of the caller's tenant. */
final class RelayAdminService extends RelayAdminServiceGrpc.RelayAdminServiceImplBase {
  private static final int LIST = 0;
  private static final int AUDIT = 1;
  private static final int CANCELLED_AT_ONCE = 50;

  private final KeyValueStore store;
  private final Commands commands;
  private final Pages pages;
  private final Clock clock;
  private final Parties parties;
  private final ExchangeRules rules;
  private final Pairings pairings;
  private final PairedDevices devices;
  private final Envelopes envelopes;
  private final RelayAudit audit;

  RelayAdminService(
      CoreContext context,
      Parties parties,
      ExchangeRules rules,
      Pairings pairings,
      PairedDevices devices,
      Envelopes envelopes,
      RelayAudit audit) {
    this.store = context.store();
    this.commands = context.commands();
    this.pages = context.pages();
    this.clock = context.clock();
    this.parties = parties;
    this.rules = rules;
    this.pairings = pairings;
    this.devices = devices;
    this.envelopes = envelopes;
    this.audit = audit;
  }

  @Override
  public void createApprover(CreateApproverRequest request, StreamObserver<Party> response) {
    Caller caller = admin();
    String actor = request.getActor().isEmpty() ? caller.actor() : request.getActor();
    PartyId approver = PartyId.approver(request.getApproverId());
    PartyRecord created =
        write(caller, FencedWrite.CHANGE_PARTY, write -> parties.create(write, approver, actor));
    Replies.send(response, Parties.toParty(created));
  }

  @Override
  public void listParties(
      ListPartiesRequest request, StreamObserver<ListPartiesResponse> response) {
    Caller caller = admin();
    Pages.Page<PartyRecord> page =
        store.read(
            tr ->
                pages.named(
                    (after, limit) -> parties.page(tr, caller.tenant(), after, limit),
                    record -> new PartyId(record.getRole(), record.getId()).key(),
                    Pages.Ask.of(request, LIST, "", false),
                    record -> true));
    Replies.send(
        response,
        ListPartiesResponse.newBuilder()
            .addAllData(page.rows().stream().map(Parties::toParty).toList())
            .setPage(page.info())
            .build());
  }

  @Override
  public void listDevices(
      ListDevicesRequest request, StreamObserver<ListDevicesResponse> response) {
    Pages.Page<PairedDevice> page = devices.all(admin(), request);
    Replies.send(
        response,
        ListDevicesResponse.newBuilder().addAllData(page.rows()).setPage(page.info()).build());
  }

  @Override
  public void revokeParty(RevokePartyRequest request, StreamObserver<Party> response) {
    Caller caller = admin();
    PartyId party = new PartyId(request.getRole(), request.getPartyId());
    PartyRecord revoked =
        write(
            caller,
            FencedWrite.CHANGE_PARTY,
            write -> {
              PartyRecord after = parties.revoke(write, party);
              pairings.revokeKey(write, after.getKeyId());
              return after;
            });
    if (party.role() == PartyRole.PARTY_ROLE_ENFORCER) {
      cancelPending(caller, party);
    }
    Replies.send(response, Parties.toParty(revoked));
  }

  /** Cancels what an enforcer has open, which gets no more once it is revoked. */
  private void cancelPending(Caller caller, PartyId enforcer) {
    int ended;
    do {
      ended =
          write(
              caller,
              FencedWrite.END_EXCHANGE,
              write -> rules.cancelOpen(write, enforcer, CANCELLED_AT_ONCE));
    } while (ended == CANCELLED_AT_ONCE);
  }

  @Override
  public void cancelExchange(
      CancelExchangeRequest request, StreamObserver<CancelExchangeResponse> response) {
    Caller caller = admin();
    ExchangeRecord cancelled =
        write(caller, FencedWrite.END_EXCHANGE, write -> cancel(write, request.getRequestId()));
    ByteString status = envelopes.status(cancelled, clock.millis());
    Replies.send(response, CancelExchangeResponse.newBuilder().setEnvelope(status).build());
  }

  private ExchangeRecord cancel(Write write, String requestId) {
    return rules.cancel(
        write,
        requestId,
        cancelled ->
            audit.append(
                write,
                RelayAudit.about(
                        RelayAuditKind.RELAY_AUDIT_KIND_EXCHANGE_CANCELLED,
                        PartyId.enforcer(cancelled.getEnforcerId()))
                    .setRequestId(requestId)));
  }

  @Override
  public void listAuditEntries(
      ListAuditEntriesRequest request, StreamObserver<ListAuditEntriesResponse> response) {
    Caller caller = admin();
    Pages.Page<RelayAuditRecord> page =
        store.read(
            tr ->
                pages.named(
                    (after, limit) -> audit.page(tr, caller.tenant(), after, limit),
                    record -> RelayAudit.id(record.getEntry().getIndex()),
                    Pages.Ask.of(request, AUDIT, "", false),
                    record -> true));
    Replies.send(
        response,
        ListAuditEntriesResponse.newBuilder()
            .addAllData(page.rows().stream().map(RelayAuditRecord::getEntry).toList())
            .setPage(page.info())
            .build());
  }

  private static Caller admin() {
    Caller caller = Caller.current();
    caller.needWholeTenant();
    return caller;
  }

  private <R> R write(Caller caller, FencedWrite which, Function<Write, R> work) {
    return commands.fenced(which, caller.tenant(), caller.actor(), work);
  }
}
