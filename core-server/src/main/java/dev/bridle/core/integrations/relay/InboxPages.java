package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.record.v1.ExchangeRecipient;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.relay.v1.ListInboxRequest;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.Mailbox;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads pages of what waits for a party, bounded by rows and bytes. What has expired since the last
 * sweep still lies in the inbox, and is listed as expired all the same.
 */
final class InboxPages {
  private static final int MAX_BYTES = 2 << 20;
  private static final int MAX_LOOKED_AT = 500;
  private static final int ROWS_AT_ONCE = 50;

  private final ExchangeStore exchanges;
  private final Envelopes envelopes;
  private final Pages pages;

  InboxPages(ExchangeStore exchanges, Envelopes envelopes, Pages pages) {
    this.exchanges = exchanges;
    this.envelopes = envelopes;
    this.pages = pages;
  }

  /**
   * A page.
   *
   * @param items its envelopes
   * @param nextCursor where the next page begins
   */
  record Page(List<ByteString> items, Optional<String> nextCursor) {
    Page {
      items = List.copyOf(items);
    }
  }

  /** A place to read on from: behind a position of a folder, or at its beginning. */
  private record From(int folder, Optional<LogPosition> after) {
    byte[] toBytes() {
      byte[] position = after.map(LogPosition::toBytes).orElseGet(() -> new byte[0]);
      return ByteBuffer.allocate(1 + position.length).put((byte) folder).put(position).array();
    }

    static From of(byte[] bytes) {
      return new From(
          bytes[0],
          bytes.length == 1
              ? Optional.empty()
              : Optional.of(LogPosition.fromBytes(Arrays.copyOfRange(bytes, 1, bytes.length))));
    }
  }

  /** Returns a page of the inbox of a party, which the caller acts as. */
  Page read(ReadTransaction tr, Caller caller, ListInboxRequest request, long now) {
    PartyId party = new PartyId(request.getRole(), request.getPartyId());
    String list = party.key() + "\n" + request.getExpired();
    Reading reading = new Reading(tr, caller.tenant(), party, request.getExpired(), now);
    Optional<From> next =
        Optional.of(
            request.hasCursor()
                ? From.of(pages.position(request.getCursor(), list))
                : new From(Folder.INBOX.number(), Optional.empty()));
    int limit = request.hasLimit() ? request.getLimit() : Pages.DEFAULT_LIMIT;
    while (next.isPresent() && !reading.isFull(limit)) {
      next = reading.on(next.get(), limit);
    }
    return new Page(reading.items, next.map(from -> pages.cursor(from.toBytes(), list)));
  }

  /** One page while it is read. */
  private final class Reading {
    private final ReadTransaction tr;
    private final String tenant;
    private final PartyId party;
    private final boolean expired;
    private final long now;
    private final List<ByteString> items = new ArrayList<>();
    private long bytes;
    private int lookedAt;

    Reading(ReadTransaction tr, String tenant, PartyId party, boolean expired, long now) {
      this.tr = tr;
      this.tenant = tenant;
      this.party = party;
      this.expired = expired;
      this.now = now;
    }

    boolean isFull(int limit) {
      return items.size() >= limit || bytes >= MAX_BYTES || lookedAt >= MAX_LOOKED_AT;
    }

    /** Reads on, and returns where to read on from; empty at the end. */
    Optional<From> on(From from, int limit) {
      List<Mailbox.Entry> rows =
          exchanges
              .mailbox()
              .page(tr, tenant, party.key(), from.folder(), from.after(), ROWS_AT_ONCE);
      From at = from;
      for (Mailbox.Entry row : rows) {
        if (isFull(limit)) {
          return Optional.of(at);
        }
        Optional<ByteString> item = exchanges.find(tr, tenant, row.item()).flatMap(this::shown);
        if (item.isPresent() && !items.isEmpty() && bytes + item.get().size() > MAX_BYTES) {
          bytes = MAX_BYTES; // The next page begins with it.
          return Optional.of(at);
        }
        item.ifPresent(this::add);
        lookedAt++;
        at = new From(from.folder(), Optional.of(row.position()));
      }
      if (rows.size() == ROWS_AT_ONCE) {
        return Optional.of(at);
      }
      return expired && from.folder() == Folder.INBOX.number()
          ? Optional.of(new From(Folder.EXPIRED.number(), Optional.empty()))
          : Optional.empty();
    }

    private void add(ByteString item) {
      items.add(item);
      bytes += item.size();
    }

    private Optional<ByteString> shown(ExchangeRecord exchange) {
      if (party.role() == PartyRole.PARTY_ROLE_ENFORCER) {
        return expired ? Optional.empty() : Optional.of(decision(exchange));
      }
      boolean over = !ExchangeLifecycle.isPending(exchange, now);
      return over == expired
          ? recipient(exchange).map(to -> request(exchange, to))
          : Optional.empty();
    }

    private ByteString decision(ExchangeRecord exchange) {
      return Envelopes.bytes(
          envelopes.decisionDeliver(
              exchange, exchanges.decision(tr, tenant, exchange.getRequestId())));
    }

    private Optional<ExchangeRecipient> recipient(ExchangeRecord exchange) {
      return exchange.getRecipientsList().stream()
          .filter(recipient -> recipient.getApproverId().equals(party.id()))
          .findFirst();
    }

    private ByteString request(ExchangeRecord exchange, ExchangeRecipient to) {
      return Envelopes.bytes(
          envelopes.approvalRequest(
              exchange, to, exchanges.artifact(tr, tenant, exchange.getRequestId())));
    }
  }
}
