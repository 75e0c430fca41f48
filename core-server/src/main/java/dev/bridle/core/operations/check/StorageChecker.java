package dev.bridle.core.operations.check;

import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.CheckReport;
import dev.bridle.core.operations.check.finding.Findings;
import dev.bridle.core.operations.check.log.EraCheck;
import dev.bridle.core.operations.check.log.FeedCheck;
import dev.bridle.core.operations.check.log.FloorsCheck;
import dev.bridle.core.operations.check.log.ImportsCheck;
import dev.bridle.core.operations.check.log.MessagesCheck;
import dev.bridle.core.operations.check.log.StreamMetadataCheck;
import dev.bridle.core.operations.check.log.StreamsCheck;
import dev.bridle.core.operations.check.log.TranscriptsCheck;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.receipt.ImportedKeysCheck;
import dev.bridle.core.operations.check.receipt.ReceiptChainsCheck;
import dev.bridle.core.operations.check.receipt.ReceiptsCheck;
import dev.bridle.core.operations.check.receipt.TaskReceiptsCheck;
import dev.bridle.core.operations.check.redaction.RedactionsCheck;
import dev.bridle.core.operations.check.resource.BlobsCheck;
import dev.bridle.core.operations.check.resource.ConnectorsCheck;
import dev.bridle.core.operations.check.resource.ContentCheck;
import dev.bridle.core.operations.check.resource.CredentialsCheck;
import dev.bridle.core.operations.check.resource.DeliveriesCheck;
import dev.bridle.core.operations.check.resource.DueCheck;
import dev.bridle.core.operations.check.resource.ExchangesCheck;
import dev.bridle.core.operations.check.resource.IdempotencyCheck;
import dev.bridle.core.operations.check.resource.IndexCheck;
import dev.bridle.core.operations.check.resource.IngressCheck;
import dev.bridle.core.operations.check.resource.InstallationCheck;
import dev.bridle.core.operations.check.resource.KeysCheck;
import dev.bridle.core.operations.check.resource.MailboxesCheck;
import dev.bridle.core.operations.check.resource.PairingsCheck;
import dev.bridle.core.operations.check.resource.PollsCheck;
import dev.bridle.core.operations.check.resource.RecordsCheck;
import dev.bridle.core.operations.check.resource.RelayAuditCheck;
import dev.bridle.core.operations.check.resource.SchedulesCheck;
import dev.bridle.core.operations.check.resource.SecretsCheck;
import dev.bridle.core.operations.check.resource.SigningKeysCheck;
import dev.bridle.core.operations.check.resource.WebhookDeliveriesCheck;
import dev.bridle.core.operations.check.resource.WebhooksCheck;
import dev.bridle.core.operations.check.resource.WorkspaceTreesCheck;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.TenantCheck;
import dev.bridle.core.operations.check.task.OutcomeArtifactsCheck;
import dev.bridle.core.operations.check.task.OutcomesCheck;
import dev.bridle.core.operations.check.task.PermissionsCheck;
import dev.bridle.core.operations.check.task.QueueCheck;
import dev.bridle.core.operations.check.task.QueuePlacesCheck;
import dev.bridle.core.operations.check.task.RenewalsCheck;
import dev.bridle.core.operations.check.task.StepsCheck;
import dev.bridle.core.operations.check.task.TasksCheck;
import dev.bridle.core.operations.check.task.UsageCheck;
import dev.bridle.core.operations.check.walk.Census;
import dev.bridle.core.operations.check.walk.Survey;
import dev.bridle.core.operations.check.walk.Walk;
import dev.bridle.core.operations.check.walk.Workers;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import java.util.List;
import java.util.Optional;

/**
 * Checks all stored data for consistency. Uses the key-value contract alone, in transactions of one
 * page, so it can run beside a working server: a fault that was found across transactions is
 * confirmed in a single one before it is reported.
 */
public final class StorageChecker {
  private static final List<Check> OF_INSTALLATION =
      List.of(
          new InstallationCheck(),
          new SigningKeysCheck(),
          new DueCheck(),
          new QueueCheck(),
          new CredentialsCheck(),
          new IngressCheck(),
          new PairingsCheck());
  private static final List<Check> OF_TENANT =
      List.of(
          new EraCheck(),
          new ImportsCheck(),
          new FloorsCheck(),
          new RecordsCheck(),
          new IndexCheck(),
          new StreamsCheck(),
          new FeedCheck(),
          new StreamMetadataCheck(),
          new TasksCheck(),
          new OutcomesCheck(),
          new OutcomeArtifactsCheck(),
          new TaskReceiptsCheck(),
          new ReceiptsCheck(),
          new ImportedKeysCheck(),
          new ReceiptChainsCheck(),
          new MessagesCheck(),
          new TranscriptsCheck(),
          new PermissionsCheck(),
          new RedactionsCheck(),
          new SecretsCheck(),
          new ConnectorsCheck(),
          new PollsCheck(),
          new DeliveriesCheck(),
          new SchedulesCheck(),
          new ExchangesCheck(),
          new MailboxesCheck(),
          new RelayAuditCheck(),
          new WebhooksCheck(),
          new WebhookDeliveriesCheck(),
          new QueuePlacesCheck(),
          new StepsCheck(),
          new RenewalsCheck(),
          new UsageCheck(),
          new IdempotencyCheck(),
          new KeysCheck(),
          new WorkspaceTreesCheck(),
          new ContentCheck(),
          new BlobsCheck());

  private final KeyValueStore store;
  private final KeyLayout layout;
  private final Catalog catalog;
  private final int threads;

  /** Creates a checker of a store, which may be in use; it uses all processors. */
  public StorageChecker(KeyValueStore store, KeyLayout layout, Catalog catalog) {
    this(store, layout, catalog, Runtime.getRuntime().availableProcessors());
  }

  /** Creates a checker that uses so many threads beside the caller's, or the caller's alone. */
  public StorageChecker(KeyValueStore store, KeyLayout layout, Catalog catalog, int threads) {
    this.store = store;
    this.layout = layout;
    this.catalog = catalog;
    this.threads = threads;
  }

  /** Checks all data without changing it. */
  public CheckReport check(CheckProgress progress) {
    return run(progress, false);
  }

  /**
   * Checks all data, and repairs what can be derived from the log or from a record. Each repair is
   * one transaction that confirms the fault first.
   */
  public CheckReport repair(CheckProgress progress) {
    return run(progress, true);
  }

  private CheckReport run(CheckProgress progress, boolean repair) {
    try (Workers workers = new Workers(threads)) {
      return run(progress, repair, workers);
    }
  }

  private CheckReport run(CheckProgress progress, boolean repair, Workers workers) {
    Rows rows = new Rows(layout);
    Findings findings = new Findings(store, layout, progress, repair);
    int partitions =
        store
            .read(tr -> tr.get(rows.eventKeys().partitionsKey()))
            .flatMap(rows::number)
            .map(Long::intValue)
            .filter(number -> number > 0)
            .orElse(EventLog.DEFAULT_PARTITIONS);
    Proofs proofs = new Proofs();
    RowProofs look = new RowProofs(new SurveyContext(store, rows, catalog, partitions, proofs));
    Survey survey = new Survey(store, rows, progress, workers);
    Census census = survey.run(findings, look);
    look.end();
    // A repair goes on from what it has mended, so it looks at one page after the other.
    Optional<Workers> beside = Optional.of(workers).filter(of -> !repair);
    Walk walk = new Walk(store, rows, progress, beside, survey.splits());
    CheckScope scope =
        new CheckScope(
            store, layout, catalog, rows, walk, findings, census, proofs, partitions, "");
    // Deleted tenants first, since due entries are compared with what is left of them.
    List<String> tenants =
        census.tenants().stream()
            .filter(tenant -> new TenantCheck(scope.of(tenant)).isThere())
            .toList();
    if (repair && tenants.size() < census.tenants().size()) {
      // What was left of a deleted tenant is gone by now, and its due entries are about nothing.
      proofs.due().doubtAll();
    }
    OF_INSTALLATION.forEach(check -> check.run(scope));
    for (String tenant : tenants) {
      checkTenant(scope.of(tenant));
    }
    return findings.report(census.sizes());
  }

  private static void checkTenant(CheckScope scope) {
    if (!ImportsCheck.isUnderWay(scope)) {
      OF_TENANT.forEach(check -> check.run(scope));
    }
    // Also if an import has started meanwhile: its partly loaded data is not a fault.
    if (ImportsCheck.isUnderWay(scope)) {
      scope
          .findings()
          .notChecked(
              "Tenant "
                  + scope.tenant()
                  + " is not checked: an import into it has not ended. Run 'bridle import' with"
                  + " the same file again, which loads the rest; then check again.");
    }
  }
}
