package dev.bridle.core.operations.check.receipt;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.TenantCheck;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.ChainHead;
import dev.bridle.proof.receipt.InvalidReceiptException;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks each session's chain of receipts from the first one on: that each follows the one before
 * it, and that the stored end and tree are those of all of them. Receipts never change, so a chain
 * is read in several transactions, up to the end that was stored when its check began.
 */
public final class ReceiptChainsCheck implements Check {
  private static final int CHAINS = 100;
  private static final int RECEIPTS = 50;

  @Override
  public void run(CheckScope scope) {
    scope.walk().step("chains of receipts of " + scope.tenant());
    scope
        .walk()
        .pages(
            scope
                .rows()
                .recordKeys()
                .recordRange(scope.tenant(), ReceiptStore.RECEIPT_CHAIN.number()),
            CHAINS,
            (tr, page) ->
                page.stream()
                    .flatMap(row -> scope.rows().whole(tr, row.raw(), row.value()).stream())
                    .flatMap(bytes -> ReceiptStore.RECEIPT_CHAIN.parse(bytes).stream())
                    .toList(),
            chains -> chains.forEach(chain -> check(scope, chain)));
  }

  private static void check(CheckScope scope, ReceiptChainRecord chain) {
    if (chain.getPartial()) {
      return; // The receipts before it are in another installation.
    }
    String wrong = new Walked(scope, chain).wrong();
    if (!wrong.isEmpty()) {
      scope
          .findings()
          .suspect(
              Fault.of(
                      FaultKind.RECEIPT_CHAIN_WRONG,
                      scope.tenant(),
                      chain.getSessionId(),
                      "The session's chain of receipts is broken: " + wrong)
                  .when(tr -> TenantCheck.alive(scope, tr)));
    }
  }

  /** A chain that is followed from its first receipt on. */
  private static final class Walked {
    private final CheckScope scope;
    private final ReceiptChainRecord chain;
    private final ReceiptStore store;
    private ChainHead head = ChainHead.EMPTY;

    Walked(CheckScope scope, ReceiptChainRecord chain) {
      this.scope = scope;
      this.chain = chain;
      this.store = new ReceiptStore(scope.layout());
    }

    String wrong() {
      Optional<byte[]> after = Optional.empty();
      do {
        Optional<byte[]> from = after;
        Piece piece = scope.store().read(tr -> piece(tr, from));
        if (!piece.wrong().isEmpty()) {
          return piece.wrong();
        }
        head = piece.head();
        after = piece.next();
      } while (after.isPresent() && head.count() < chain.getCount());
      ChainHead stored;
      try {
        stored = ReceiptStore.head(Optional.of(chain));
      } catch (IllegalArgumentException e) {
        return "its stored end is malformed.";
      }
      return head.equals(stored)
          ? ""
          : "it has " + head.count() + " receipts, which do not lead to its stored end.";
    }

    private record Piece(ChainHead head, Optional<byte[]> next, String wrong) {}

    private Piece piece(ReadTransaction tr, Optional<byte[]> after) {
      RecordStore.Batch<ReceiptRecord> batch =
          store
              .records()
              .batch(
                  tr, scope.tenant(), RecordDef.BY_SESSION, chain.getSessionId(), after, RECEIPTS);
      ChainHead at = head;
      for (ReceiptRecord record : batch.records()) {
        if (at.count() == chain.getCount()) {
          break; // Issued since the check began.
        }
        String wrong = wrong(tr, record, at);
        if (!wrong.isEmpty()) {
          return new Piece(at, Optional.empty(), "receipt " + record.getId() + " " + wrong);
        }
        at = at.append(ReceiptStore.hash(record.getHash()));
      }
      return new Piece(at, batch.next(), "");
    }

    private String wrong(ReadTransaction tr, ReceiptRecord record, ChainHead before) {
      Receipt receipt;
      try {
        receipt = Receipt.parse(record.getWire().toByteArray());
      } catch (InvalidReceiptException e) {
        return "can't be read.";
      }
      if (record.getIndex() != before.count()) {
        return "has the index " + record.getIndex() + ", expected " + before.count() + ".";
      }
      if (!receipt.chain().previousReceiptHash().equals(before.last())) {
        return "does not name the receipt before it.";
      }
      Optional<Sha256> root =
          before.count() == 0 ? Optional.empty() : Optional.of(before.peaks().root());
      if (!receipt.chain().merkleRoot().equals(root)) {
        return "has another root over the receipts before it.";
      }
      return wrongNodes(tr, before, ReceiptStore.hash(record.getHash()));
    }

    private String wrongNodes(ReadTransaction tr, ChainHead before, Sha256 hash) {
      List<String> wrong = new ArrayList<>();
      var unused =
          before.append(
              hash,
              (level, index, node) -> {
                Optional<Sha256> stored =
                    store.node(tr, scope.tenant(), chain.getSessionId(), level, index);
                if (!stored.equals(Optional.of(node))) {
                  wrong.add("lacks its node " + index + " of level " + level + ".");
                }
              });
      return wrong.isEmpty() ? "" : wrong.get(0);
    }
  }
}
