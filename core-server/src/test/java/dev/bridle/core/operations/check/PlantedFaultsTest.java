package dev.bridle.core.operations.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.kernel.command.EarlierRecords;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.CheckReport;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Finding;
import dev.bridle.core.operations.check.finding.SpaceSize;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class PlantedFaultsTest {
  private static final String CONFIGURATION = "configuration";

  @TempDir static Path directory;
  private static RealTenant tenant;
  private static Stored stored;
  private static Map<String, ByteBuffer> sound;

  @BeforeAll
  static void make() {
    tenant = new RealTenant(directory);
    stored = new Stored(tenant.store());
    int earlier =
        EarlierRecords.restore(
            tenant.store(),
            Stored.TENANT,
            record -> record.getResponse().toStringUtf8().contains("notes/deep/c.txt"));
    assertThat(earlier).isEqualTo(1);
    sound = stored.all();
  }

  @AfterAll
  static void close() {
    tenant.close();
  }

  @Test
  void nothingIsWrongWithWhatARealCoreLeavesNorWithARecordOfAnEarlierRelease() {
    CheckReport report = checker().check(CheckProgress.SILENT);

    assertThat(report.findings()).isEmpty();
    assertThat(report.notChecked()).isEmpty();
    assertThat(report.keys()).isEqualTo(sound.size());
    assertThat(report.sizes().stream().map(SpaceSize::space))
        .contains("record", "index", "event", "feed", "blob", "queue", "due", "step", "renewal");
  }

  @Test
  void aRepairOfWhatIsSoundChangesNothing() {
    assertThat(checker().repair(CheckProgress.SILENT).clean()).isTrue();
    assertThat(stored.all()).isEqualTo(sound);
  }

  @Tag("slow")
  @TestFactory
  Stream<DynamicTest> eachFaultIsNamedAndRepairedWhereItsTruthIsElsewhere() {
    return Stream.of(
            PlantedRows.all(),
            PlantedEvents.all(),
            PlantedCommands.all(),
            PlantedTasks.all(),
            PlantedReceipts.all(),
            PlantedPermissions.all(),
            PlantedSecrets.all(),
            PlantedConnectors.all(),
            PlantedPolls.all(),
            PlantedSchedules.all(),
            PlantedExchanges.all(),
            PlantedWebhooks.all(),
            PlantedFiles.all(),
            PlantedValues.all())
        .flatMap(List::stream)
        .map(plant -> DynamicTest.dynamicTest(plant.name(), () -> plant(plant)));
  }

  @Test
  void aKeyOfAnotherShapeHidesNoBlobAfterIt() {
    String blob = tenant.artifact + ".blob_left";
    try {
      stored.set(stored.key(TenantSpace.BLOB, "!", "odd"), new byte[1]);
      stored.set(stored.key(TenantSpace.BLOB, blob, 0L), new byte[1]);

      assertThat(checker().check(CheckProgress.SILENT).findings())
          .extracting(Finding::kind)
          .contains(FaultKind.KEY_UNKNOWN, FaultKind.BLOB_ORPHANED);
    } finally {
      stored.restore(sound);
    }
  }

  @Test
  void findingsAreTheSameInTheSameOrderOnAnyNumberOfThreads() {
    int each = 2500; // Several pages of both.
    try {
      for (int i = 0; i < each; i++) {
        String id = String.format(Locale.ROOT, "message_%05d", i);
        stored.put(stored.key(TenantSpace.RECORD, (long) MessageStore.MESSAGE.number(), id), "odd");
        stored.put(
            stored.key(TenantSpace.QUEUE_PLACE, String.format(Locale.ROOT, "task_%05d", i)), "odd");
      }
      stored.flush();

      CheckReport one = checker(1).check(CheckProgress.SILENT);
      CheckReport several = checker(4).check(CheckProgress.SILENT);

      assertThat(several).isEqualTo(one);
      assertThat(one.found()).isEqualTo(2L * each);
      assertThat(one.findings())
          .filteredOn(finding -> finding.kind() == FaultKind.VALUE_DAMAGED)
          .extracting(Finding::subject)
          .hasSize(CheckReport.MAX_FINDINGS)
          .isSorted();
    } finally {
      stored.restore(sound);
    }
  }

  @Test
  void aRepairMakesServersReadConfigurationAgain() {
    Plant index =
        PlantedRows.all().stream()
            .filter(plant -> plant.kind() == FaultKind.INDEX_MISSING)
            .findFirst()
            .orElseThrow();
    try {
      assertThat(index.planting().apply(tenant, stored)).isNotEmpty();
      checker().repair(CheckProgress.SILENT);

      assertThat(stored.differing(sound, stored.all())).contains(CONFIGURATION);
    } finally {
      stored.restore(sound);
    }
  }

  private static void plant(Plant plant) {
    try {
      String subject = plant.planting().apply(tenant, stored);
      Map<String, ByteBuffer> planted = stored.all();
      CheckReport found = checker().check(CheckProgress.SILENT);
      assertThat(found.findings())
          .as("what the checker found")
          .anySatisfy(
              finding -> {
                assertThat(finding.kind()).isEqualTo(plant.kind());
                assertThat(finding.subject()).isEqualTo(subject);
                assertThat(finding.sentence()).endsWith(".");
                assertThat(finding.repairable()).isEqualTo(plant.repairable());
              });
      assertThat(found.found()).as("follow-up findings: %s", found.findings()).isLessThan(8);
      if (plant.repairable()) {
        checker().repair(CheckProgress.SILENT);
        assertThat(checker().check(CheckProgress.SILENT).findings()).as("after repair").isEmpty();
        Set<String> left = stored.differing(sound, stored.all());
        left.remove(CONFIGURATION);
        assertThat(left).as("subspaces that the repair left changed").isSubsetOf(plant.changed());
      } else {
        CheckReport repaired = checker().repair(CheckProgress.SILENT);
        assertThat(repaired.found()).as("what a repair can't help").isPositive();
        assertThat(repaired.found()).isGreaterThan(repaired.repairs());
        Set<String> changed = stored.differing(planted, stored.all());
        changed.remove(CONFIGURATION);
        assertThat(changed)
            .as("subspaces that the repair changed: %s", repaired.repaired())
            .isEqualTo(plant.changed());
      }
    } finally {
      stored.restore(sound);
    }
  }

  private static StorageChecker checker() {
    return new StorageChecker(stored.store, stored.layout, CoreRecords.CATALOG);
  }

  private static StorageChecker checker(int threads) {
    return new StorageChecker(stored.store, stored.layout, CoreRecords.CATALOG, threads);
  }
}
