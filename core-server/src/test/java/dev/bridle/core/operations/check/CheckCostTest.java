package dev.bridle.core.operations.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.CheckReport;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.server.TestCore;
import dev.bridle.storage.kit.count.Cost;
import dev.bridle.storage.kit.count.CountingStore;
import dev.bridle.storage.layer.KeyLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a check reads beside the one pass over all rows. */
final class CheckCostTest {
  private static final int FEW = 3;
  private static final int MORE = 12;

  @TempDir private Path directory;

  /** The core issues no receipts, each of which is verified, and its chain followed. */
  @Test
  void ofTasksThatHaveEndedNothingIsLookedUpOneByOne() throws Exception {
    try (TestCore core = TestCore.start(directory, of -> of.withAccess(AccessOptions.NONE));
        TenantWork work = new TenantWork(core, core.newSession())) {
      run(work, 0, FEW);
      Cost few = check(core);
      run(work, FEW, MORE);
      Cost more = check(core);

      assertThat(more.gets()).as("gets").isEqualTo(few.gets());
      assertThat(more.ranges()).as("ranges").isEqualTo(few.ranges());
    }
  }

  private static void run(TenantWork work, int from, int to) {
    for (int i = from; i < to; i++) {
      String task = work.submit("work " + i);
      assertThat(work.take(task)).isEqualTo(task);
      work.say();
      work.complete();
    }
  }

  private static Cost check(TestCore core) {
    CountingStore counted = new CountingStore(core.store());
    CheckReport report =
        new StorageChecker(counted, KeyLayout.root(), CoreRecords.CATALOG, 0)
            .check(CheckProgress.SILENT);
    assertThat(report.findings()).isEmpty();
    return counted.cost();
  }
}
