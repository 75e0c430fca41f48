package dev.bridle.cli.replay;

import dev.bridle.cli.receipt.IssuerKeys;
import dev.bridle.proof.replay.ReplayFault;
import dev.bridle.proof.replay.ReplayReport;
import dev.bridle.proof.verify.Check;
import dev.bridle.proof.verify.CheckResult;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.proof.verify.Verification;
import java.util.List;
import java.util.Optional;

/**
 * What was found in a file.
 *
 * @param receipt what its own verification found
 * @param keys where the keys come from that it was verified with
 * @param report the replay; empty if the receipt is not valid
 */
record ReplayResult(Verification receipt, IssuerKeys.Source keys, Optional<ReplayReport> report) {
  boolean isReplayed() {
    return report.filter(ReplayReport::isReplayed).isPresent();
  }

  /** Returns whether the replay lacked something that it can't do without. */
  boolean isUnavailable() {
    return report
        .flatMap(ReplayReport::fault)
        .filter(fault -> fault.kind() == ReplayFault.Kind.UNAVAILABLE)
        .isPresent();
  }

  /** Returns the checks of the receipt that lacked keys; its place in a chain is not asked for. */
  List<CheckResult> lacking() {
    return receipt.notChecked().stream()
        .filter(each -> each.check() != Check.LINK && each.check() != Check.MERKLE_ROOT)
        .toList();
  }

  /** Returns what is concluded: a replay proves no more than the receipt that it agrees with. */
  Verdict verdict() {
    boolean isContradicted = report.isPresent() && !isReplayed() && !isUnavailable();
    return isContradicted ? Verdict.INVALID : receipt.verdict();
  }

  /** Returns whether who issued the receipt, and all events, could be checked. */
  boolean isComplete() {
    return receipt.verdict() == Verdict.VALID
        && lacking().isEmpty()
        && report.filter(ReplayReport::isComplete).isPresent();
  }
}
