package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.proof.verify.ChainReport;
import dev.bridle.proof.verify.ChainVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.KeyLayout;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many workers of two cores over one store end the tasks of one session at the same time. */
class OneChainTest {
  private static final String TENANT = "default";
  private static final TaskOptions PATIENT =
      TaskOptions.DEFAULT.withLease(Duration.ofMinutes(2), Duration.ofSeconds(20));

  @TempDir Path directory;

  @Test
  void theReceiptsOfAFewHundredTasksAreOneLineWithoutAFork() throws Exception {
    assertOneLine(320);
  }

  @Tag("slow")
  @Test
  void theReceiptsOfTwoThousandTasksAreOneLineWithoutAFork() throws Exception {
    assertOneLine(2_000);
  }

  private void assertOneLine(int tasks) throws Exception {
    try (KeyValueStore store = SuiteStore.open(directory);
        CoreOver one = CoreOver.start(store, Clock.systemUTC(), PATIENT);
        CoreOver two = CoreOver.start(store, Clock.systemUTC(), PATIENT)) {
      String session = BusySession.endAll(List.of(one.of(TENANT), two.of(TENANT)), tasks);

      List<ReceiptRecord> receipts = receipts(store, session, tasks);
      assertThat(receipts).hasSize(tasks);
      ChainReport report = verified(store, session, receipts);
      assertThat(report.faults()).isEmpty();
      assertThat(report.verdict()).isEqualTo(Verdict.VALID);
      StoredData.assertSound(store);
    }
  }

  private static List<ReceiptRecord> receipts(KeyValueStore store, String session, int most) {
    return store.read(
        tr ->
            new ReceiptStore(KeyLayout.root())
                .records()
                .batch(tr, TENANT, RecordDef.BY_SESSION, session, Optional.empty(), 2 * most)
                .records());
  }

  private static ChainReport verified(
      KeyValueStore store, String session, List<ReceiptRecord> receipts) {
    ChainVerifier verifier =
        new ChainVerifier(
            Trust.of(store.read(tr -> ReceiptKeys.trusted(tr, KeyLayout.root(), TENANT))));
    receipts.forEach(receipt -> verifier.add(receipt.getWire().toByteArray()));
    return verifier.report(
        ReceiptStore.head(
            store.read(tr -> new ReceiptStore(KeyLayout.root()).chain(tr, TENANT, session))));
  }
}
