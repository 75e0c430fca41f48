package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.RelayChannelRecord;
import dev.bridle.relay.v1.ChannelMessage;
import dev.bridle.relay.v1.GetPresenceRequest;
import dev.bridle.relay.v1.ListPresenceRequest;
import dev.bridle.relay.v1.ListPresenceResponse;
import dev.bridle.relay.v1.OpenRequest;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.Presence;
import dev.bridle.relay.v1.RelayChannelServiceGrpc;
import dev.bridle.relay.v1.RequestRefreshRequest;
import dev.bridle.relay.v1.RequestRefreshResponse;
import dev.bridle.relay.v1.UpdateRequest;
import dev.bridle.relay.v1.UpdateResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.Function;

/** Opens channels of parties, and lists present enforcers. */
final class RelayChannelService extends RelayChannelServiceGrpc.RelayChannelServiceImplBase {
  private static final int MAX_REFRESHES = 16;

  private final CoreContext context;
  private final Parties parties;
  private final ExchangeRules rules;
  private final ChannelStore store;
  private final Channels channels;

  RelayChannelService(
      CoreContext context,
      Parties parties,
      ExchangeRules rules,
      ChannelStore store,
      Channels channels) {
    this.context = context;
    this.parties = parties;
    this.rules = rules;
    this.store = store;
    this.channels = channels;
  }

  @Override
  public void open(OpenRequest request, StreamObserver<ChannelMessage> response) {
    Caller caller = Caller.current();
    PartyId party = new PartyId(request.getRole(), request.getPartyId());
    Inboxes.needScope(caller, party.role());
    channels.needRoom(caller, party);
    RelayChannelRecord record =
        write(
            caller,
            write -> {
              if (request.getClaim() && party.role() == PartyRole.PARTY_ROLE_ENFORCER) {
                parties.claim(write, party);
              } else {
                parties.need(write.tr(), caller, party);
              }
              RelayChannelRecord opened =
                  RelayChannelRecord.newBuilder()
                      .setId(write.id("channel"))
                      .setRole(party.role())
                      .setPartyId(party.id())
                      .setTransport(request.getTransport())
                      .setOpenedAt(write.nowMillis())
                      .setSeenAt(write.nowMillis())
                      .build();
              store.insert(write, opened);
              return opened;
            });
    channels.serve(caller, record, (ServerCallStreamObserver<ChannelMessage>) response);
  }

  @Override
  public void update(UpdateRequest request, StreamObserver<UpdateResponse> response) {
    Caller caller = Caller.current();
    PartyId party = new PartyId(request.getRole(), request.getPartyId());
    boolean changed =
        write(
            caller,
            write -> {
              parties.need(write.tr(), caller, party);
              return store.change(
                  write,
                  party,
                  request.getChannelId(),
                  channel ->
                      channel
                          .setWorkspaceName(request.getWorkspaceName())
                          .setEnforcerLabel(request.getEnforcerLabel())
                          .clearCapabilities()
                          .putAllCapabilities(request.getCapabilitiesMap()));
            });
    if (!changed) {
      throw RelayErrors.noChannel(request.getChannelId());
    }
    Replies.send(response, UpdateResponse.getDefaultInstance());
  }

  @Override
  public void requestRefresh(
      RequestRefreshRequest request, StreamObserver<RequestRefreshResponse> response) {
    Caller caller = Caller.current();
    String requestId = request.getRequestId();
    boolean asked =
        write(
            caller,
            write -> {
              ExchangeRecord exchange = rules.seen(write.tr(), caller, requestId);
              return exchange.getEnforcerId().equals(request.getEnforcerDeviceId())
                  && ask(write, PartyId.enforcer(exchange.getEnforcerId()), requestId);
            });
    if (!asked) {
      throw RelayErrors.offline(requestId);
    }
    Replies.send(response, RequestRefreshResponse.getDefaultInstance());
  }

  private boolean ask(Write write, PartyId enforcer, String requestId) {
    return store
        .newest(write.tr(), write.tenant(), enforcer, write.nowMillis())
        .filter(channel -> channel.getRefreshRequestIdsCount() < MAX_REFRESHES)
        .map(
            channel ->
                channel.getRefreshRequestIdsList().contains(requestId)
                    || store.change(
                        write,
                        enforcer,
                        channel.getId(),
                        changed -> changed.addRefreshRequestIds(requestId)))
        .orElse(false);
  }

  @Override
  public void listPresence(
      ListPresenceRequest request, StreamObserver<ListPresenceResponse> response) {
    Caller caller = Caller.current();
    List<RelayChannelRecord> found =
        context.store().read(tr -> store.ofEnforcers(tr, caller.tenant()));
    Replies.send(
        response,
        ListPresenceResponse.newBuilder()
            .addAllData(Presences.of(found, context.clock().millis()))
            .build());
  }

  @Override
  public void getPresence(GetPresenceRequest request, StreamObserver<Presence> response) {
    Caller caller = Caller.current();
    PartyId enforcer = PartyId.enforcer(request.getEnforcerDeviceId());
    List<RelayChannelRecord> found =
        context.store().read(tr -> store.of(tr, caller.tenant(), enforcer));
    Presence presence =
        Presences.of(found, context.clock().millis()).stream()
            .findFirst()
            .orElseThrow(() -> noPresence(enforcer));
    Replies.send(response, presence);
  }

  private static ProtocolException noPresence(PartyId enforcer) {
    return RelayErrors.noParty(enforcer);
  }

  private <R> R write(Caller caller, Function<Write, R> work) {
    return context
        .commands()
        .fenced(FencedWrite.CHANGE_CHANNEL, caller.tenant(), caller.actor(), work);
  }
}
