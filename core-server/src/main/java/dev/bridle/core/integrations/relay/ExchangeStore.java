package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.ExchangeArtifactRecord;
import dev.bridle.record.v1.ExchangeDecisionRecord;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.RelayMessageRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Mailbox;
import dev.bridle.storage.layer.RecordStore;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Stores exchanges, with what was submitted and what waits for whom:
 *
 * <pre>
 * tenant / RECORD / exchange, request            → ExchangeRecord
 * tenant / RECORD / exchange artifact, request   → body of the approval request, once
 * tenant / RECORD / exchange decision, request   → body of the decision
 * tenant / RECORD / relay message, message       → whether it has arrived
 * tenant / MAILBOX / party, folder, era, stamp   → request
 * DUE / EXCHANGE, request                        → when it expires or is removed
 * </pre>
 */
final class ExchangeStore {
  private final RecordStore<ExchangeRecord> exchanges;
  private final RecordStore<ExchangeArtifactRecord> artifacts;
  private final RecordStore<ExchangeDecisionRecord> decisions;
  private final RecordStore<RelayMessageRecord> messages;
  private final Mailbox mailbox;
  private final DueIndex due;

  ExchangeStore(KeyLayout layout, DueIndex due) {
    this.exchanges = RelayRecords.EXCHANGE.store(layout);
    this.artifacts = RelayRecords.ARTIFACT.store(layout);
    this.decisions = RelayRecords.DECISION.store(layout);
    this.messages = RelayRecords.MESSAGE.store(layout);
    this.mailbox = new Mailbox(layout);
    this.due = due;
  }

  /** Returns the mailboxes. */
  Mailbox mailbox() {
    return mailbox;
  }

  Optional<ExchangeRecord> find(ReadTransaction tr, String tenant, String requestId) {
    return exchanges.get(tr, tenant, requestId);
  }

  /** Returns what the enforcer has submitted for an exchange that is there. */
  ExchangeArtifactRecord artifact(ReadTransaction tr, String tenant, String requestId) {
    return artifacts.get(tr, tenant, requestId).orElseThrow();
  }

  /** Returns the decision of an exchange that has one. */
  ExchangeDecisionRecord decision(ReadTransaction tr, String tenant, String requestId) {
    return decisions.get(tr, tenant, requestId).orElseThrow();
  }

  Optional<RelayMessageRecord> message(ReadTransaction tr, String tenant, String id) {
    return messages.get(tr, tenant, id);
  }

  /** Stores a new exchange and the messages to its recipients. */
  void insert(Write write, ExchangeRecord exchange, ExchangeArtifactRecord artifact) {
    exchanges.insert(write.tr(), write.tenant(), exchange.getRequestId(), exchange);
    artifacts.insert(write.tr(), write.tenant(), exchange.getRequestId(), artifact);
    exchange
        .getRecipientsList()
        .forEach(
            recipient ->
                send(
                    write,
                    exchange,
                    PartyId.approver(recipient.getApproverId()),
                    recipient.getMessageId()));
    place(write, exchange.getRequestId(), Map.of(), Placements.of(exchange));
    RelayRecords.EXCHANGE.schedule(due, write.tr(), write.tenant(), exchange);
  }

  /** Stores the decision of an exchange, and the message that delivers it. */
  void decide(
      Write write, ExchangeRecord before, ExchangeRecord after, ExchangeDecisionRecord decision) {
    decisions.insert(write.tr(), write.tenant(), after.getRequestId(), decision);
    send(write, after, PartyId.enforcer(after.getEnforcerId()), after.getOutcome().getMessageId());
    update(write, before, after);
  }

  private void send(Write write, ExchangeRecord exchange, PartyId to, String messageId) {
    messages.insert(
        write.tr(),
        write.tenant(),
        messageId,
        RelayMessageRecord.newBuilder()
            .setId(messageId)
            .setRequestId(exchange.getRequestId())
            .setRole(to.role())
            .setPartyId(to.id())
            .setCreatedAt(write.nowMillis())
            .build());
  }

  /** Replaces an exchange; it moves to the folders that its new state requires. */
  void update(Write write, ExchangeRecord before, ExchangeRecord after) {
    exchanges.update(write.tr(), write.tenant(), after.getRequestId(), before, after);
    place(write, after.getRequestId(), Placements.of(before), Placements.of(after));
    RelayRecords.EXCHANGE.reschedule(due, write.tr(), write.tenant(), before, after);
  }

  void update(Write write, RelayMessageRecord before, RelayMessageRecord after) {
    messages.update(write.tr(), write.tenant(), after.getId(), before, after);
  }

  /** Removes everything of an exchange. */
  void remove(Write write, ExchangeRecord exchange) {
    String id = exchange.getRequestId();
    exchanges.remove(write.tr(), write.tenant(), id);
    artifacts.remove(write.tr(), write.tenant(), id);
    decisions.remove(write.tr(), write.tenant(), id);
    RelayRecords.messages(exchange)
        .forEach(message -> messages.remove(write.tr(), write.tenant(), message));
    place(write, id, Placements.of(exchange), Map.of());
    RelayRecords.EXCHANGE.unschedule(due, write.tr(), write.tenant(), exchange);
  }

  /** Returns the exchange of a due entry; empty if the entry is stale. */
  Optional<ExchangeRecord> due(ReadTransaction tr, DueEntry entry) {
    return find(tr, entry.tenant(), entry.id())
        .filter(exchange -> RelayRecords.EXCHANGE.isDue(exchange, entry));
  }

  /** Removes a stale due entry. */
  void cancel(Write write, DueEntry entry) {
    due.cancel(write.tr(), entry);
  }

  /** Returns the requests in a folder of a party, up to {@code limit}, oldest first. */
  List<Mailbox.Entry> waiting(
      ReadTransaction tr, String tenant, PartyId party, Folder folder, int limit) {
    return mailbox.page(tr, tenant, party.key(), folder.number(), Optional.empty(), limit);
  }

  private void place(
      Write write, String requestId, Map<String, Folder> before, Map<String, Folder> after) {
    Set<String> owners = new HashSet<>(before.keySet());
    owners.removeAll(after.keySet());
    owners.stream()
        .sorted()
        .forEach(owner -> mailbox.remove(write.tr(), write.tenant(), owner, requestId));
    after.forEach(
        (owner, folder) -> {
          if (before.get(owner) != folder) {
            mailbox.put(
                write.tr(), write.tenant(), owner, requestId, folder.number(), write.order());
          }
        });
  }
}
