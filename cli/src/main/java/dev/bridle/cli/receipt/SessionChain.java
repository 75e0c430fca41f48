package dev.bridle.cli.receipt;

import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.receipt.ResourceRef;
import dev.bridle.proof.statement.ChainStatement;
import dev.bridle.proof.verify.ChainFault;
import dev.bridle.proof.verify.ChainReport;
import dev.bridle.proof.verify.ChainVerifier;
import dev.bridle.proof.verify.Check;
import dev.bridle.proof.verify.StatedEnd;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.proof.verify.Verification;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The receipts of one session. */
final class SessionChain {
  /** The checks that a whole chain makes. */
  private static final Set<String> OF_CHAIN =
      Set.of(Check.LINK.spelling(), Check.MERKLE_ROOT.spelling());

  private final String session;
  private final IssuerKeys keys;
  private final ChainVerifier verifier;
  private final List<Link> links = new ArrayList<>();
  private final List<StatedEnd> ends = new ArrayList<>();

  SessionChain(String session, IssuerKeys keys) {
    this.session = session;
    this.keys = keys;
    this.verifier = new ChainVerifier(keys.trust());
  }

  /**
   * A receipt of the list.
   *
   * @param isOfChain false for the receipt of a replay, which is no link of a chain
   */
  private record Link(LineResult result, boolean isOfChain) {}

  void add(Place place, byte[] receipt) {
    Verification verification = verifier.add(receipt);
    links.add(
        new Link(
            LineResult.of(place, verification, keys),
            verification.receipt().filter(SessionChain::isOfChain).isPresent()));
  }

  /** Takes what the issuer says of the chain. */
  void stated(ChainStatement.Verified said) {
    ends.add(new StatedEnd(said.statement().end(), said.isProven(), said.statement().isPartial()));
  }

  private static boolean isOfChain(Receipt receipt) {
    return !receipt.subject().object().equals(ResourceRef.REPLAY_SEGMENT);
  }

  void print(VerifyOutput output) {
    ChainReport report = verifier.report(ends);
    Map<Integer, List<Finding>> faults = new HashMap<>();
    for (ChainFault fault : report.faults()) {
      // What is wrong with the receipt itself is in its result already.
      if (fault.kind() != ChainFault.Kind.BROKEN_RECEIPT) {
        faults
            .computeIfAbsent(fault.position(), position -> new ArrayList<>())
            .add(Finding.of(fault));
      }
    }
    for (int i = 0; i < links.size(); i++) {
      output.print(judged(links.get(i), faults.getOrDefault(i, List.of()), report, i));
    }
    output.print(session, report);
  }

  /** Adds what the chain says of a receipt. In a chain with faults, no link counts as checked. */
  private static LineResult judged(
      Link link, List<Finding> faults, ChainReport report, int position) {
    LineResult own = link.result();
    List<Finding> failed = new ArrayList<>(own.failed());
    failed.addAll(faults);
    List<Finding> notChecked = new ArrayList<>(own.notChecked());
    if (report.isWhole() && link.isOfChain()) {
      notChecked.removeIf(finding -> OF_CHAIN.contains(finding.check()));
    }
    boolean isKeyKnown =
        report.notChecked().stream()
            .noneMatch(one -> one.position() == position && one.check() == Check.KEY_VALIDITY);
    if (isKeyKnown) {
      notChecked.removeIf(finding -> finding.check().equals(Check.KEY_VALIDITY.spelling()));
    }
    Verdict byItself = report.unsigned().contains(position) ? Verdict.CONSISTENT : Verdict.VALID;
    Verdict verdict = failed.isEmpty() ? byItself : Verdict.INVALID;
    return new LineResult(own.place(), own.receipt(), verdict, failed, notChecked);
  }
}
