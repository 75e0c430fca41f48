package dev.bridle.core.operations.check.finding;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.ConfigurationVersion;
import dev.bridle.storage.layer.KeyLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Confirms suspected faults, repairs them if asked to, keeps the first ones and counts all. */
public final class Findings {
  private static final int MAX_NOT_CHECKED = 100;

  private final KeyValueStore store;
  private final ConfigurationVersion configuration;
  private final CheckProgress progress;
  private final boolean repair;
  private final List<Finding> kept = new ArrayList<>();
  private final List<Finding> repaired = new ArrayList<>();
  private final Set<String> notChecked = new TreeSet<>();
  private long count;
  private long repairs;

  public Findings(KeyValueStore store, KeyLayout layout, CheckProgress progress, boolean repair) {
    this.store = store;
    this.configuration = new ConfigurationVersion(layout);
    this.progress = progress;
    this.repair = repair;
  }

  public void suspectAll(List<Fault> faults) {
    faults.forEach(this::suspect);
  }

  public void suspect(Fault fault) {
    if (!store.read(fault.still()::test)) {
      return;
    }
    Finding finding = fault.finding();
    count++;
    if (kept.size() < CheckReport.MAX_FINDINGS) {
      kept.add(finding);
      progress.found(finding);
    }
    if (repair && fault.repair().isPresent()) {
      mend(fault, finding);
    }
  }

  /** Confirms and repairs a fault in one serializable transaction. */
  private void mend(Fault fault, Finding finding) {
    boolean mended = store.transact(tr -> fault.still().test(tr) && repaired(tr, fault));
    if (!mended) {
      return;
    }
    repairs++;
    if (repaired.size() < CheckReport.MAX_FINDINGS) {
      repaired.add(finding);
      progress.repaired(finding);
    }
  }

  /** Other servers over the same store may remember configuration that the repair changes. */
  private boolean repaired(Transaction tr, Fault fault) {
    boolean remembered =
        fault.kind() != FaultKind.TENANT_UNKNOWN
            && !fault.tenant().isEmpty()
            && configuration.read(tr, fault.tenant()).isPresent();
    boolean done = fault.repair().orElseThrow().test(tr);
    if (done && remembered) {
      configuration.change(tr, fault.tenant());
    }
    return done;
  }

  public void notChecked(String sentence) {
    if (notChecked.size() < MAX_NOT_CHECKED) {
      notChecked.add(sentence);
    }
  }

  public CheckReport report(List<SpaceSize> sizes) {
    return new CheckReport(kept, count, repaired, repairs, sizes, List.copyOf(notChecked));
  }
}
