package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.CallCredential;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialWatch;
import dev.bridle.core.kernel.coalesce.Periodic;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.RelayChannelRecord;
import dev.bridle.relay.v1.ChannelMessage;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.LogPosition;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open channels of this process: opened, kept alive and closed in storage too. */
final class Channels implements Channel.Source {
  private static final Logger log = LoggerFactory.getLogger(Channels.class);

  private final CoreContext context;
  private final ChannelStore store;
  private final ChannelFeed feed;
  private final Envelopes envelopes;
  private final MailboxWatch watch;
  private final CredentialWatch credentials;
  private final RelayLimits limits;

  /** What ends listening, by channel. */
  private final Map<Channel, Runnable> open = new ConcurrentHashMap<>();

  Channels(
      CoreContext context,
      ChannelStore store,
      ChannelFeed feed,
      Envelopes envelopes,
      MailboxWatch watch,
      CredentialWatch credentials,
      RelayLimits limits) {
    this.context = context;
    this.store = store;
    this.feed = feed;
    this.envelopes = envelopes;
    this.watch = watch;
    this.credentials = credentials;
    this.limits = limits;
  }

  void start(ScheduledExecutorService timer) {
    Periodic.every(
        timer,
        ChannelStore.RENEWAL,
        "Renewing channels",
        () -> context.environment().background().execute(this::renew));
  }

  /** Fails with {@code rate_limited} where no more channels of a party may be open. */
  void needRoom(Caller caller, PartyId party) {
    long own =
        open.keySet().stream()
            .filter(channel -> channel.caller().tenant().equals(caller.tenant()))
            .filter(channel -> channel.party().equals(party))
            .count();
    if (own >= limits.channelsPerParty() || open.size() >= limits.channels()) {
      throw RelayErrors.tooManyChannels(limits.channelsPerParty());
    }
  }

  /** Serves a channel that is stored, until the call ends. */
  void serve(
      Caller caller, RelayChannelRecord record, ServerCallStreamObserver<ChannelMessage> call) {
    Channel channel = new Channel(caller, record, call, this, context.environment().background());
    call.setOnReadyHandler(channel::schedule);
    call.setOnCancelHandler(
        () -> context.environment().background().execute(() -> close(channel, Optional.empty())));
    call.onNext(ChannelMessage.newBuilder().setChannelId(record.getId()).build());
    open.put(channel, () -> {}); // Before anything that may close it.
    int slot = watch.slotOf(caller.tenant(), channel.party().key());
    MailboxWatch.Listener mailbox = watch.listen(slot, channel::schedule);
    CredentialWatch.Watched credential =
        credentials.watch(
            CallCredential.current(), refusal -> close(channel, Optional.of(refusal)));
    Runnable stop =
        () -> {
          mailbox.close();
          credential.close();
        };
    if (Optional.ofNullable(open.replace(channel, stop)).isEmpty()) {
      stop.run();
    }
    if (call.isCancelled()) {
      close(channel, Optional.empty());
    }
    channel.schedule();
  }

  @Override
  public ChannelFeed.Next next(Channel channel, Optional<LogPosition> after) {
    try {
      return context
          .store()
          .read(
              tr ->
                  feed.next(
                      tr, channel.caller(), channel.record(), after, context.clock().millis()));
    } catch (ProtocolException refusal) {
      close(channel, Optional.of(refusal));
      return ChannelFeed.Next.nothing(after);
    }
  }

  @Override
  public Set<String> notices(Channel channel) {
    return channel.party().role() == PartyRole.PARTY_ROLE_APPROVER
        ? context.store().read(tr -> feed.notices(tr, channel.caller().tenant(), channel.party()))
        : Set.of();
  }

  @Override
  public List<ByteString> takeRefreshes(Channel channel) {
    List<String> asked =
        context
            .store()
            .read(
                tr ->
                    store
                        .find(
                            tr,
                            channel.caller().tenant(),
                            channel.party(),
                            channel.record().getId())
                        .map(RelayChannelRecord::getRefreshRequestIdsList)
                        .map(List::copyOf)
                        .orElse(List.of()));
    if (!asked.isEmpty()) {
      var unused =
          change(
              channel,
              record -> {
                List<String> later =
                    record.getRefreshRequestIdsList().stream()
                        .filter(request -> !asked.contains(request))
                        .toList();
                return record.clearRefreshRequestIds().addAllRefreshRequestIds(later);
              });
    }
    long now = context.clock().millis();
    return asked.stream().map(request -> envelopes.refreshRequest(request, now)).toList();
  }

  private boolean change(Channel channel, UnaryOperator<RelayChannelRecord.Builder> change) {
    return context
        .commands()
        .fenced(
            FencedWrite.CHANGE_CHANNEL,
            channel.caller().tenant(),
            channel.caller().actor(),
            write -> store.change(write, channel.party(), channel.record().getId(), change));
  }

  private void renew() {
    for (Channel channel : open.keySet()) {
      try {
        long now = context.clock().millis();
        if (!change(channel, record -> record.setSeenAt(now))) {
          // Another process took this one for gone; the party opens a channel again.
          close(channel, Optional.of(gone()));
        }
      } catch (StoreException e) {
        FailureLog.warn(log, "A channel of the relay could not be renewed; it is tried again.", e);
      }
    }
  }

  private static ProtocolException gone() {
    return ProtocolException.of(
        ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE, "The channel was closed; open it again.");
  }

  private void close(Channel channel, Optional<ProtocolException> error) {
    Optional<Runnable> was = Optional.ofNullable(open.remove(channel));
    if (was.isEmpty()) {
      return;
    }
    was.get().run();
    channel.end(error);
    try {
      long now = context.clock().millis();
      var unused =
          context
              .commands()
              .fenced(
                  FencedWrite.CHANGE_CHANNEL,
                  channel.caller().tenant(),
                  channel.caller().actor(),
                  write -> {
                    store
                        .find(write.tr(), write.tenant(), channel.party(), channel.record().getId())
                        .filter(record -> record.getClosedAt() == 0)
                        .ifPresent(record -> store.close(write, record, now));
                    return true;
                  });
    } catch (StoreException e) {
      FailureLog.warn(log, "A closed channel of the relay counts as open until it is due.", e);
    }
  }

  /** Ends all channels, since the server stops. */
  void close() {
    open.keySet().forEach(channel -> close(channel, Optional.empty()));
  }
}
