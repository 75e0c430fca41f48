package dev.bridle.core.operations.check;

import dev.bridle.admin.v1.CheckStorageResponse;
import dev.bridle.admin.v1.CheckSummary;
import dev.bridle.admin.v1.GetStorageStatsResponse;
import dev.bridle.admin.v1.StorageFinding;
import dev.bridle.admin.v1.SubspaceSize;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.CheckReport;
import dev.bridle.core.operations.check.finding.Finding;
import dev.bridle.core.operations.check.finding.SpaceSize;
import dev.bridle.core.operations.check.walk.Census;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.KeyLayout;
import java.util.function.Consumer;

/**
 * Builds the storage service's responses, for a running server as well as for a store that an
 * operator has opened without a server.
 */
public final class StorageReports {
  private final KeyValueStore store;
  private final KeyLayout layout;
  private final Catalog catalog;
  private final int threads;

  /** Creates reports of a store without a server: a check uses all processors. */
  public StorageReports(KeyValueStore store, KeyLayout layout, Catalog catalog) {
    this(store, layout, catalog, Runtime.getRuntime().availableProcessors());
  }

  /** Creates reports whose checks use so many threads beside the caller's. */
  public StorageReports(KeyValueStore store, KeyLayout layout, Catalog catalog, int threads) {
    this.store = store;
    this.layout = layout;
    this.catalog = catalog;
    this.threads = threads;
  }

  /**
   * Checks all data, and repairs what is repairable if {@code repair} is set.
   *
   * @param to receives progress and findings, and finally the summary
   */
  public void check(boolean repair, Consumer<CheckStorageResponse> to) {
    StorageChecker checker = new StorageChecker(store, layout, catalog, threads);
    ResponseProgress progress = new ResponseProgress(to);
    CheckReport report = repair ? checker.repair(progress) : checker.check(progress);
    to.accept(
        CheckStorageResponse.newBuilder()
            .setSummary(
                CheckSummary.newBuilder()
                    .setFound(report.found())
                    .setRepaired(report.repairs())
                    .setKeys(report.keys())
                    .addAllNotChecked(report.notChecked()))
            .build());
  }

  /** Counts keys and bytes of every tenant and subspace. */
  public GetStorageStatsResponse stats() {
    GetStorageStatsResponse.Builder stats = GetStorageStatsResponse.newBuilder();
    for (SpaceSize size : Census.of(store, layout, CheckProgress.SILENT).sizes()) {
      stats.addSubspaces(
          SubspaceSize.newBuilder()
              .setTenantId(size.tenant())
              .setSubspace(size.space())
              .setKeys(size.keys())
              .setBytes(size.bytes()));
    }
    return stats.build();
  }

  private record ResponseProgress(Consumer<CheckStorageResponse> to) implements CheckProgress {
    @Override
    public void at(String step, long rows) {
      to.accept(
          CheckStorageResponse.newBuilder()
              .setProgress(
                  dev.bridle.admin.v1.CheckProgress.newBuilder().setStep(step).setRows(rows))
              .build());
    }

    @Override
    public void found(Finding finding) {
      to.accept(CheckStorageResponse.newBuilder().setFinding(toProto(finding)).build());
    }

    @Override
    public void repaired(Finding finding) {
      to.accept(CheckStorageResponse.newBuilder().setRepaired(toProto(finding)).build());
    }

    private static StorageFinding toProto(Finding finding) {
      return StorageFinding.newBuilder()
          .setKind(finding.kind().spelling())
          .setTenantId(finding.tenant())
          .setSubject(finding.subject())
          .setSentence(finding.sentence())
          .setRepairable(finding.repairable())
          .build();
    }
  }
}
