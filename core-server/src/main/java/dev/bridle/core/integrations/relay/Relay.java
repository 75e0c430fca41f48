package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.auth.CredentialWatch;
import dev.bridle.core.kernel.auth.TenantSecrets;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.storage.layer.DueEntry;
import io.grpc.BindableService;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;

/** Wires up the relay of HARP. */
public final class Relay {
  private final Commands commands;
  private final ExchangeStore exchanges;
  private final ExchangeRules rules;
  private final MailboxWatch watch;
  private final PairingStore pairings;
  private final DecisionWaits waits;
  private final ChannelStore channelStore;
  private final Channels channels;
  private final LocalRelay local;
  private final LocalPairings localPairings;
  private final List<BindableService> services;

  private Relay(
      CoreContext context,
      String gatewayId,
      CredentialWatch credentials,
      CredentialStore<ApiKeyRecord> keys,
      OwnPairings own,
      RelayLimits limits) {
    Envelopes envelopes = new Envelopes(gatewayId);
    RelayAudit audit = new RelayAudit(context.layout());
    Parties parties = new Parties(context.layout(), audit, limits);
    this.commands = context.commands();
    this.exchanges = new ExchangeStore(context.layout(), context.due());
    this.pairings = new PairingStore(context.layout(), context.due());
    Pairings pairingRules = new Pairings(parties, pairings, keys, audit, own);
    this.localPairings = new LocalPairings(context, pairingRules, pairings);
    this.rules =
        new ExchangeRules(
            parties,
            exchanges,
            pairings,
            new PartyRates(context.layout(), context.settings(RelayRates.class)),
            limits);
    InboxPages pages = new InboxPages(exchanges, envelopes, context.pages());
    ApproverNotices notices = new ApproverNotices(context);
    Inboxes inboxes = new Inboxes(parties, exchanges, rules, pages, envelopes, notices);
    this.watch = new MailboxWatch(context);
    this.channelStore = new ChannelStore(context.layout(), context.due());
    this.channels =
        new Channels(
            context,
            channelStore,
            new ChannelFeed(parties, exchanges, channelStore, envelopes, notices),
            envelopes,
            watch,
            credentials,
            limits);
    this.waits =
        new DecisionWaits(
            context,
            limits,
            watch,
            (tr, tenant, requestId) ->
                inboxes.decision(tr, tenant, requestId, context.clock().millis()));
    this.local = new LocalRelay(context, rules, inboxes, parties, envelopes);
    PairedDevices devices = new PairedDevices(context, parties, pairings);
    this.services =
        List.of(
            new RelayService(context, rules, inboxes, waits, envelopes, local),
            new RelayChannelService(context, parties, rules, channelStore, channels),
            new PairingService(context, pairingRules, pairings, devices, localPairings),
            new RelayAdminService(
                context, parties, rules, pairingRules, devices, envelopes, audit));
  }

  /**
   * Creates the feature.
   *
   * @param gatewayId what its envelopes name as their sender
   * @param credentials ends channels whose credential is revoked
   * @param keys creates the keys of paired devices
   * @param own takes the devices that pair with the enforcer beside the relay
   */
  public static Relay in(
      CoreContext context,
      String gatewayId,
      CredentialWatch credentials,
      CredentialStore<ApiKeyRecord> keys,
      OwnPairings own) {
    return new Relay(context, gatewayId, credentials, keys, own, RelayLimits.DEFAULT);
  }

  /** Returns the relay for the enforcer in this process. */
  public LocalRelay local() {
    return local;
  }

  /** Returns the pairings of the enforcer in this process. */
  public LocalPairings localPairings() {
    return localPairings;
  }

  /** Returns its services. */
  public List<BindableService> services() {
    return services;
  }

  /** Starts answering calls that wait. */
  public void start(ScheduledExecutorService timer) {
    watch.start(timer);
    waits.start(timer);
    channels.start(timer);
  }

  /** Ends the calls that wait and the channels, since the server stops. */
  public void close() {
    waits.close();
    channels.close();
  }

  /** Expires an exchange that is due, or removes it. */
  public void due(DueEntry entry) {
    var unused =
        commands.fenced(
            FencedWrite.END_EXCHANGE,
            entry.tenant(),
            entry.id(),
            write -> {
              Optional<ExchangeRecord> exchange = exchanges.due(write.tr(), entry);
              exchange.ifPresentOrElse(
                  found -> rules.due(write, found), () -> exchanges.cancel(write, entry));
              return exchange.isPresent();
            });
  }

  /** Closes a channel whose process is gone, or removes one that was closed. */
  public void channelDue(DueEntry entry) {
    var unused =
        commands.fenced(
            FencedWrite.CHANGE_CHANNEL,
            entry.tenant(),
            entry.id(),
            write -> {
              channelStore.due(write, entry);
              return true;
            });
  }

  /** Removes a pairing that is due. */
  public void pairingDue(DueEntry entry) {
    var unused =
        commands.fenced(
            FencedWrite.COMPLETE_PAIRING,
            entry.tenant(),
            entry.id(),
            write -> {
              pairings.due(write, entry);
              return true;
            });
  }

  /** Returns the codes of pairings, which end with their tenant. */
  public TenantSecrets secrets() {
    return pairings;
  }
}
