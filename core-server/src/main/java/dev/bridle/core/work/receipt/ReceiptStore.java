package dev.bridle.core.work.receipt;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.ChainHead;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.tree.MerklePeaks;
import dev.bridle.record.v1.LastReceiptRecord;
import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptNodeRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RecordStore;
import java.util.Locale;
import java.util.Optional;

/**
 * Stores receipts, and the chain of each session:
 *
 * <pre>
 * tenant / RECORD / RECEIPT, id                           → ReceiptRecord
 * tenant / INDEX / RECEIPT, ALL | BY_SESSION | BY_TASK, … → id
 * tenant / RECORD / RECEIPT_CHAIN, session                → ReceiptChainRecord
 * tenant / RECORD / RECEIPT_NODE, session/level/index     → ReceiptNodeRecord
 * tenant / RECORD / LAST_RECEIPT, quota                   → LastReceiptRecord
 * </pre>
 */
public final class ReceiptStore {
  /** The index of the receipts of a task: its own, and those of its approvals and artifacts. */
  public static final int RECEIPTS_BY_TASK = 3;

  /** The definition of receipts. */
  public static final RecordDef<ReceiptRecord> RECEIPT =
      RecordDef.of(90, "receipt", ReceiptRecord.parser())
          .id(ReceiptRecord::getId)
          .listed()
          .indexed(RecordDef.BY_SESSION, ReceiptRecord::getSessionId)
          .indexed(RECEIPTS_BY_TASK, ReceiptRecord::getTaskId)
          .refersTo("workspace", ReceiptRecord::getWorkspaceId)
          .belongsTo("task", ReceiptRecord::getTaskId)
          .liesIn(ReceiptRecord::getWorkspaceId, ReceiptRecord::getSessionId)
          .firstEventIn(ReceiptRecord::getSessionId, "receipt_id")
          .exported()
          .build();

  /** The definition of the ends of chains. */
  public static final RecordDef<ReceiptChainRecord> RECEIPT_CHAIN =
      RecordDef.of(91, "receipt chain", ReceiptChainRecord.parser())
          .id(ReceiptChainRecord::getSessionId)
          .besides("session")
          .exported()
          .build();

  /** The definition of the nodes of the trees over chains. */
  public static final RecordDef<ReceiptNodeRecord> RECEIPT_NODE =
      RecordDef.of(92, "receipt node", ReceiptNodeRecord.parser())
          .id(node -> nodeId(node.getSessionId(), node.getLevel(), node.getIndex()))
          .refersTo("receipt chain", ReceiptNodeRecord::getSessionId)
          .exported()
          .build();

  /** The definition of the newest receipts of quotas. */
  public static final RecordDef<LastReceiptRecord> LAST_RECEIPT =
      RecordDef.of(95, "last receipt", LastReceiptRecord.parser())
          .id(LastReceiptRecord::getQuotaId)
          .besides("quota")
          .exported()
          .build();

  private final RecordStore<ReceiptRecord> receipts;
  private final RecordStore<ReceiptChainRecord> chains;
  private final RecordStore<ReceiptNodeRecord> nodes;
  private final RecordStore<LastReceiptRecord> last;

  public ReceiptStore(KeyLayout layout) {
    this.receipts = RECEIPT.store(layout);
    this.chains = RECEIPT_CHAIN.store(layout);
    this.nodes = RECEIPT_NODE.store(layout);
    this.last = LAST_RECEIPT.store(layout);
  }

  /** Returns a receipt that the caller can access; {@code resource_not_found} otherwise. */
  public ReceiptRecord need(ReadTransaction tr, Caller caller, String id) {
    return receipts
        .get(tr, caller.tenant(), id)
        .filter(record -> caller.reaches(record.getWorkspaceId()))
        .orElseThrow(() -> ProtocolException.notFound(RECEIPT.name(), id));
  }

  /** Returns the records of receipts. */
  public RecordStore<ReceiptRecord> records() {
    return receipts;
  }

  /** Returns the end of a session's chain as it is stored; empty before the first receipt. */
  public Optional<ReceiptChainRecord> chain(ReadTransaction tr, String tenant, String session) {
    return chains.get(tr, tenant, session);
  }

  /** Returns the end of the next chain in the order of the sessions' ids; empty after the last. */
  public Optional<ReceiptChainRecord> chainAfter(
      ReadTransaction tr, String tenant, String session) {
    return chains.withPrefix(tr, tenant, "", session + "\0", 1).stream().findFirst();
  }

  /** Returns the end of a chain for the next receipt. */
  public static ChainHead head(Optional<ReceiptChainRecord> chain) {
    return chain
        .map(
            stored ->
                new ChainHead(
                    Optional.of(hash(stored.getLastHash())),
                    new MerklePeaks(
                        stored.getCount(),
                        stored.getPeaksList().stream().map(ReceiptStore::hash).toList())))
        .orElse(ChainHead.EMPTY);
  }

  /**
   * Stores a receipt as the next one of its chain.
   *
   * @param before the chain's end without it
   * @param order the position of its index rows
   */
  void append(
      Write write,
      ReceiptRecord record,
      Optional<ReceiptChainRecord> before,
      PendingEventId order) {
    Transaction tr = write.tr();
    String session = record.getSessionId();
    ChainHead head =
        head(before)
            .append(
                hash(record.getHash()),
                (level, index, hash) ->
                    nodes.insert(
                        tr,
                        write.tenant(),
                        nodeId(session, level, index),
                        ReceiptNodeRecord.newBuilder()
                            .setSessionId(session)
                            .setLevel(level)
                            .setIndex(index)
                            .setHash(ByteString.copyFrom(hash.bytes()))
                            .build()));
    receipts.insert(tr, write.tenant(), record.getId(), record);
    RECEIPT.index(receipts, tr, write.tenant(), record, order);
    chains.insert(tr, write.tenant(), session, chain(session, head, before));
  }

  private static ReceiptChainRecord chain(
      String session, ChainHead head, Optional<ReceiptChainRecord> before) {
    ReceiptChainRecord.Builder chain =
        ReceiptChainRecord.newBuilder()
            .setSessionId(session)
            .setCount(head.count())
            .setLastHash(record(head.last().orElseThrow()))
            .setPartial(before.map(ReceiptChainRecord::getPartial).orElse(false))
            .setImportedCount(before.map(ReceiptChainRecord::getImportedCount).orElse(0L))
            .setUnverified(before.map(ReceiptChainRecord::getUnverified).orElse(false));
    head.peaks().peaks().forEach(peak -> chain.addPeaks(record(peak)));
    return chain.build();
  }

  /** Returns a node of a session's tree; empty if it is not stored. */
  public Optional<Sha256> node(
      ReadTransaction tr, String tenant, String session, int level, long index) {
    return nodes.get(tr, tenant, nodeId(session, level, index)).map(node -> hash(node.getHash()));
  }

  /** Notes the newest receipt of a task that used a quota; reads nothing, so that none conflict. */
  void noteLast(Transaction tr, String tenant, String quota, String receipt) {
    last.insert(
        tr,
        tenant,
        quota,
        LastReceiptRecord.newBuilder().setQuotaId(quota).setReceiptId(receipt).build());
  }

  /** Returns the id of the newest receipt of a task that used a quota. */
  public Optional<String> lastOf(ReadTransaction tr, String tenant, String quota) {
    return last.get(tr, tenant, quota).map(LastReceiptRecord::getReceiptId);
  }

  /** Returns a hash that a record holds. */
  public static Sha256 hash(ByteString stored) {
    return Sha256.ofBytes(stored.toByteArray());
  }

  private static ByteString record(Sha256 hash) {
    return ByteString.copyFrom(hash.bytes());
  }

  private static String nodeId(String session, int level, long index) {
    return String.format(Locale.ROOT, "%s/%02d/%016d", session, level, index);
  }

  /** Returns whether a record says of its receipt what the receipt says. */
  public static boolean saysTheSame(ReceiptRecord record, Receipt receipt) {
    return receipt.id().equals(record.getId())
        && receipt.subject().object().equals(record.getSubjectObject())
        && receipt.subject().id().equals(record.getSubjectId())
        && receipt.identifiers().sessionId().equals(record.getSessionId())
        && receipt.identifiers().taskId().equals(record.getTaskId())
        && receipt.identifiers().workspaceRef().equals(record.getWorkspaceId())
        && receipt.chain().receiptHash().equals(hash(record.getHash()))
        && receipt
            .metadata("bridle.chain")
            .filter(place -> place.path("index").asLong() == record.getIndex())
            .filter(place -> place.path("era").asLong() == record.getEra())
            .isPresent();
  }
}
