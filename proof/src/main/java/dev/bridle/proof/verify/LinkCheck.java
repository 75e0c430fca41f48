package dev.bridle.proof.verify;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.ChainHead;
import dev.bridle.proof.receipt.ChainPosition;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.receipt.ResourceRef;
import java.util.Optional;

/** Whether a receipt follows its history. Receipts of replays follow none. */
final class LinkCheck {
  private final Receipt receipt;
  private final History history;

  LinkCheck(Receipt receipt, History history) {
    this.receipt = receipt;
    this.history =
        receipt.subject().object().equals(ResourceRef.REPLAY_SEGMENT) ? History.UNKNOWN : history;
  }

  CheckResult link() {
    Optional<Sha256> previous = receipt.chain().previousReceiptHash();
    Optional<JsonNode> stated = receipt.metadata(ChainPosition.MEMBER);
    Optional<ChainPosition> position = stated.flatMap(ChainPosition::parse);
    if (stated.isPresent() && position.isEmpty()) {
      return failed("`" + ChainPosition.MEMBER + "` has no whole numbers `index` and `era`");
    }
    if (position.isPresent() && (position.get().index() == 0) == previous.isPresent()) {
      return failed("the first receipt of a chain, and no other, has no previous one");
    }
    if (history.chain().isPresent()) {
      return follows(history.chain().get(), previous, position);
    }
    if (history.previous().isPresent()) {
      return CheckResult.of(
          Check.LINK, previous.equals(history.previous()), "the previous receipt is another one");
    }
    return previous.isEmpty()
        ? CheckResult.passed(Check.LINK)
        : CheckResult.notChecked(Check.LINK, "the previous receipt is not known");
  }

  private static CheckResult follows(
      ChainHead chain, Optional<Sha256> previous, Optional<ChainPosition> position) {
    if (!previous.equals(chain.last())) {
      return failed("the previous receipt is another one");
    }
    return CheckResult.of(
        Check.LINK,
        position.isEmpty() || position.get().index() == chain.count(),
        "the index is not the number of earlier receipts, " + chain.count());
  }

  CheckResult merkleRoot() {
    Optional<Sha256> root = receipt.chain().merkleRoot();
    if (root.isEmpty()) {
      return CheckResult.passed(Check.MERKLE_ROOT);
    }
    if (history.chain().isEmpty()) {
      return CheckResult.notChecked(
          Check.MERKLE_ROOT, "the session's earlier receipts are not known");
    }
    return CheckResult.of(
        Check.MERKLE_ROOT,
        history.chain().get().peaks().root().equals(root.get()),
        "the root over the earlier receipts is another one");
  }

  private static CheckResult failed(String why) {
    return CheckResult.failed(Check.LINK, why);
  }
}
