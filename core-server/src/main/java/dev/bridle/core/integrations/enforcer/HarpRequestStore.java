package dev.bridle.core.integrations.enforcer;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.harp.rule.ReplayRecord;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.record.v1.HarpNonceRecord;
import dev.bridle.record.v1.HarpRequestRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordRows;
import dev.bridle.storage.layer.RecordStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stores requests for signed decisions, and the nonces that were used:
 *
 * <pre>
 * tenant / RECORD / harp request, request            → HarpRequestRecord
 * tenant / INDEX / harp request, permission request  → request
 * tenant / RECORD / harp nonce, hash                 → the request that used it
 * DUE / HARP_REQUEST, request                        → when it is looked at
 * </pre>
 */
final class HarpRequestStore {
  private static final int PAGE = 200;

  private final RecordStore<HarpRequestRecord> requests;
  private final RecordStore<HarpNonceRecord> nonces;
  private final RecordRows rows;
  private final DueIndex due;

  HarpRequestStore(KeyLayout layout, DueIndex due) {
    this.requests = HarpRecords.REQUEST.store(layout);
    this.nonces = HarpRecords.NONCE.store(layout);
    this.rows = new RecordRows(layout);
    this.due = due;
  }

  Optional<HarpRequestRecord> find(ReadTransaction tr, String tenant, String requestId) {
    return requests.get(tr, tenant, requestId);
  }

  /** Returns the requests about a permission request, oldest first. */
  List<HarpRequestRecord> about(ReadTransaction tr, String tenant, String permissionRequestId) {
    List<HarpRequestRecord> found = new ArrayList<>();
    Optional<byte[]> after = Optional.empty();
    List<IndexRow> page;
    do {
      page =
          requests.page(
              tr, tenant, HarpRecords.BY_PERMISSION, permissionRequestId, after, PAGE, false);
      found.addAll(requests.getAll(tr, tenant, page.stream().map(IndexRow::id).toList()));
      after = page.isEmpty() ? after : Optional.of(page.get(page.size() - 1).position());
    } while (page.size() == PAGE);
    return found;
  }

  void insert(Write write, HarpRequestRecord record) {
    requests.insert(write.tr(), write.tenant(), record.getRequestId(), record);
    HarpRecords.REQUEST.index(requests, write.tr(), write.tenant(), record, write.order());
    HarpRecords.REQUEST.schedule(due, write.tr(), write.tenant(), record);
  }

  void update(Write write, HarpRequestRecord before, HarpRequestRecord after) {
    requests.update(write.tr(), write.tenant(), after.getRequestId(), before, after);
    HarpRecords.REQUEST.reschedule(due, write.tr(), write.tenant(), before, after);
  }

  /** Removes a request, and the nonce of its decision. */
  void remove(Write write, HarpRequestRecord record) {
    requests.remove(write.tr(), write.tenant(), record.getRequestId());
    HarpRecords.REQUEST.unschedule(due, write.tr(), write.tenant(), record);
    unindex(write, record);
    if (!record.getNonce().isEmpty()) {
      nonces.remove(
          write.tr(), write.tenant(), nonceId(record.getNonce(), record.getSignerKeyId()));
    }
  }

  private void unindex(Write write, HarpRequestRecord record) {
    String permission = record.getPermissionRequestId();
    requests
        .page(
            write.tr(),
            write.tenant(),
            HarpRecords.BY_PERMISSION,
            permission,
            Optional.empty(),
            PAGE,
            false)
        .stream()
        .filter(row -> row.id().equals(record.getRequestId()))
        .forEach(
            row ->
                rows.unindex(
                    write.tr(),
                    write.tenant(),
                    HarpRecords.REQUEST.number(),
                    HarpRecords.BY_PERMISSION,
                    permission,
                    row.place()));
  }

  /** Removes a stale due entry. */
  void cancel(Write write, DueEntry entry) {
    due.cancel(write.tr(), entry);
  }

  /** Returns what was accepted before, as a transaction sees it. */
  ReplayRecord accepted(ReadTransaction tr, String tenant) {
    return new ReplayRecord() {
      @Override
      public Optional<String> ofRequest(String requestId, String artifactHash) {
        return find(tr, tenant, requestId)
            .map(HarpRequestRecord::getDecisionHash)
            .filter(hash -> !hash.isEmpty());
      }

      @Override
      public Optional<String> ofNonce(String nonce, String signerKeyId) {
        return nonces
            .get(tr, tenant, nonceId(nonce, signerKeyId))
            .map(HarpNonceRecord::getDecisionHash);
      }
    };
  }

  /** Remembers the nonce of a request's accepted decision. */
  void useNonce(Write write, HarpRequestRecord record) {
    String id = nonceId(record.getNonce(), record.getSignerKeyId());
    nonces.insert(
        write.tr(),
        write.tenant(),
        id,
        HarpNonceRecord.newBuilder()
            .setId(id)
            .setRequestId(record.getRequestId())
            .setDecisionHash(record.getDecisionHash())
            .build());
  }

  private static String nonceId(String nonce, String signerKeyId) {
    return Sha256.of(
            signerKeyId.getBytes(StandardCharsets.UTF_8),
            new byte[1],
            nonce.getBytes(StandardCharsets.UTF_8))
        .toString();
  }
}
