package dev.bridle.cli.receipt;

import dev.bridle.proof.receipt.InvalidReceiptException;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.statement.ChainStatement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Verifies the receipts of each session as its chain. A chain spans files if the same keys verify
 * them. Nothing of a session is printed before the end, when its receipts are known.
 */
final class SessionChains implements ReceiptSink {
  private final VerifyOutput output;
  private final SingleReceipts unreadable;
  private final Map<Group, SessionChain> chains = new LinkedHashMap<>();

  SessionChains(VerifyOutput output) {
    this.output = output;
    this.unreadable = new SingleReceipts(output);
  }

  /** Receipts that are verified together. Key sets are the same only if they are one object. */
  private record Group(String session, IssuerKeys keys) {}

  @Override
  public void verify(Place place, byte[] receipt, IssuerKeys keys) {
    String session;
    try {
      session = Receipt.parse(receipt).identifiers().sessionId();
    } catch (InvalidReceiptException e) {
      unreadable.verify(place, receipt, keys);
      return;
    }
    chain(session, keys).add(place, receipt);
  }

  private SessionChain chain(String session, IssuerKeys keys) {
    return chains.computeIfAbsent(
        new Group(session, keys), group -> new SessionChain(session, keys));
  }

  @Override
  public void stated(ChainStatement.Verified statement, IssuerKeys keys) {
    chain(statement.statement().sessionId(), keys).stated(statement);
  }

  @Override
  public boolean isOfChains() {
    return true;
  }

  @Override
  public void end() {
    chains.values().forEach(chain -> chain.print(output));
  }
}
