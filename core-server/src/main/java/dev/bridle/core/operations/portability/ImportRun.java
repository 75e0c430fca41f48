package dev.bridle.core.operations.portability;

import dev.bridle.admin.v1.ImportPurpose;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.operations.portability.file.Block;
import dev.bridle.core.operations.portability.file.BlockReader;
import dev.bridle.core.operations.portability.file.FileCheck;
import dev.bridle.core.work.dispatch.ParkedTasks;
import dev.bridle.core.work.receipt.CompromisedKeys;
import dev.bridle.core.work.receipt.KeyInstallations;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedTenant;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.storage.ReadTransaction;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A running import: three passes over the file, each of which holds one block in memory. The first
 * writes nothing. Not thread-safe.
 */
final class ImportRun {
  private static final String ACTOR = "operator";

  private final TransferStores stores;
  private final ImportOptions options;
  private final ImportProgress progress;
  private final ImportStart start;
  private final ImportEvents importEvents;
  private final ParkedTasks parked;
  private final Comparison comparison;
  private final ImportTrust trust;
  private final ImportFaults faults;
  private final ImportProofs proofs;
  private final BlockDigests digests = new BlockDigests();
  private final byte[] file;
  private final Set<String> workspaces = new TreeSet<>();
  private final FileCheck check = new FileCheck(this::checkBlock);
  private Optional<ExportedTenant> tenant = Optional.empty();
  private Optional<String> session = Optional.empty();
  private Optional<Loader> loader = Optional.empty();
  private Optional<BlockReader> reader = Optional.empty();
  private ImportPurpose purpose = ImportPurpose.IMPORT_PURPOSE_CHECK;
  private boolean alreadyLoaded;
  private long appliedBefore;
  private int maxEra;
  private int era;
  private long takenOver;

  /**
   * Creates an import.
   *
   * @param stores the stores to load into
   * @param installation this installation's id
   * @param tenants creates tenants
   * @param parked takes over parked tasks
   * @param file the SHA-256 of the file
   */
  ImportRun(
      CoreContext context,
      TransferStores stores,
      String installation,
      Tenants tenants,
      ParkedTasks parked,
      ImportOptions options,
      byte[] file) {
    this.stores = stores;
    this.options = options;
    this.file = file.clone();
    this.progress = new ImportProgress(stores, options.tenant(), file);
    this.start = new ImportStart(stores, tenants, options.tenant(), progress, context.clock());
    this.importEvents =
        new ImportEvents(context.commands(), context.events(), options.tenant(), progress);
    this.parked = parked;
    this.comparison = new Comparison(stores, options);
    CompromisedKeys known =
        CompromisedKeys.in(stores.store(), stores.layout(), stores.installation());
    KeyInstallations signers =
        KeyInstallations.in(stores.store(), stores.layout(), stores.installation());
    this.trust =
        stores
            .store()
            .read(tr -> ImportTrust.in(tr, stores, options, installation, known, signers));
    this.faults = new ImportFaults(options.unverified());
    this.proofs = new ImportProofs(trust, faults);
  }

  /** The next pass: its purpose, and the offset from which the file must be sent. */
  record Pass(ImportPurpose purpose, long offset) {}

  /** Starts the import; empty if there is nothing to do. */
  Optional<Pass> begin() {
    noteCompromises();
    Optional<ImportRecord> before = stores.store().read(progress::find);
    alreadyLoaded = before.filter(record -> record.getFinishedAt() != 0).isPresent();
    appliedBefore = before.map(ImportRecord::getApplied).orElse(0L);
    era = before.map(ImportRecord::getEra).orElse(0);
    Unverified.needOption(before, options.unverified());
    return alreadyLoaded && !options.takeOver()
        ? Optional.empty()
        : Optional.of(new Pass(purpose, 0));
  }

  /** What the operator says of keys holds whatever becomes of the file. */
  private void noteCompromises() {
    if (options.keys().keys().isEmpty()) {
      return;
    }
    stores
        .store()
        .transact(
            tr -> {
              CompromisedKeys.note(tr, stores.installation(), options.keys().keys());
              return true;
            });
    trust.needDeclared(options.keys());
  }

  /** Accepts the next bytes. */
  void take(byte[] bytes) {
    if (reader.isPresent()) {
      reader.get().take(bytes, 0, bytes.length);
    } else {
      check.take(bytes, 0, bytes.length);
    }
  }

  /** Ends a pass. Returns the next one; empty if the import is complete. */
  Optional<Pass> end() {
    return switch (purpose) {
      case IMPORT_PURPOSE_CHECK -> Optional.of(checked());
      case IMPORT_PURPOSE_LOAD -> loaded();
      default -> {
        reader.orElseThrow().end();
        digests.end();
        yield Optional.empty();
      }
    };
  }

  ImportSummary summary() {
    return ImportSummary.newBuilder()
        .setTenantId(options.tenant())
        .setAlreadyLoaded(alreadyLoaded)
        .setRecords(check.counts().records())
        .setEvents(check.counts().events())
        .setChunks(check.counts().chunks())
        .setLiveTasks(check.counts().liveTasks())
        .setEra(era)
        .setTakenOver(takenOver)
        .addAllFaults(faults.listed())
        .setFaultCount(faults.count())
        .addAllUnconfirmedKeyIds(faults.unconfirmedKeys())
        .setUnsignedReceipts(faults.unsignedReceipts())
        .setUnprovenTasks(faults.unprovenTasks())
        .setSignedByKeyId(faults.signed().map(ImportFaults.SignedFile::keyId).orElse(""))
        .setSignedAt(faults.signed().map(ImportFaults.SignedFile::at).orElse(""))
        .build();
  }

  private void checkBlock(Block block) {
    digests.add(block);
    if (alreadyLoaded) {
      return; // It was judged then, and only has to be the same file.
    }
    if (block.type() == Block.HEADER) {
      proofs.from(check.header().installation());
    }
    if (block.type() == Block.UNIT) {
      proofs.endOfUnit();
    }
    if (block.type() != Block.DATA) {
      return;
    }
    List<ExportEntry> entries = Entries.of(block);
    entries.forEach(this::noteEntry);
    entries.forEach(proofs::look);
    stores
        .store()
        .read(
            tr -> {
              entries.forEach(
                  entry -> {
                    if (block.end() > appliedBefore) {
                      comparison.look(tr, entry);
                    } else {
                      comparison.workspace(tr, entry);
                    }
                  });
              return true;
            });
  }

  private void noteEntry(ExportEntry entry) {
    switch (entry.getEntryCase()) {
      case TENANT -> tenant = Optional.of(entry.getTenant());
      case EVENT -> maxEra = Math.max(maxEra, Entries.eventId(entry.getEvent().getId()).era());
      case RECORD -> {
        if (entry.getRecord().getKind() == WorkspaceStore.WORKSPACE.number()) {
          workspaces.add(entry.getRecord().getId());
        }
        if (entry.getRecord().getContext()
            && entry.getRecord().getKind() == SessionStore.SESSION.number()) {
          session = Optional.of(entry.getRecord().getId());
        }
        var unused = Entries.read(stores.catalog(), entry.getRecord());
      }
      default -> {}
    }
  }

  private Pass checked() {
    byte[] sha256 = check.end();
    if (!MessageDigest.isEqual(sha256, file)) {
      throw Entries.invalidFile("it does not have the SHA-256 that was given");
    }
    return alreadyLoaded ? takeOver() : load();
  }

  private Pass load() {
    new FileOrigin(trust, faults).judge(check);
    faults.signed().ifPresent(proofs::signedAsWhole);
    faults.end();
    if (comparison.conflicts() > 0) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "Nothing was imported, since "
                  + comparison.conflicts()
                  + " objects exist here with other content: "
                  + comparison.describeConflicts()
                  + ".")
          .with("conflicts", comparison.conflicts());
    }
    ImportRecord record =
        start.begin(check.header(), Math.max(maxEra, check.header().era()), tenant, judged());
    if (record.getUnverified() && !faults.any()) {
      faults.begunUnverified();
    }
    era = record.getEra();
    purpose = ImportPurpose.IMPORT_PURPOSE_LOAD;
    Loader loading =
        new Loader(
            stores,
            options.tenant(),
            progress,
            trust,
            comparison.kept(),
            new Loader.Source(
                check.header().installation(),
                !faults.any(),
                faults.signed().map(ImportFaults.SignedFile::keyId).orElse("")),
            record.getApplied());
    loader = Optional.of(loading);
    digests.from(record.getApplied());
    reader =
        Optional.of(
            BlockReader.from(
                record.getApplied(),
                block -> {
                  digests.verify(block);
                  loading.add(block, block.type() == Block.DATA ? Entries.of(block) : List.of());
                }));
    return new Pass(purpose, record.getApplied());
  }

  private ImportStart.Judged judged() {
    return new ImportStart.Judged(
        faults.any(),
        options.unverified(),
        faults.signed().filter(by -> trust.own().find(by.keyId()).isEmpty()));
  }

  private Optional<Pass> loaded() {
    reader.orElseThrow().end();
    digests.end();
    loader.orElseThrow().flush();
    importEvents.finish(check.header(), file, check.counts(), workspaces, session);
    return options.takeOver() ? Optional.of(takeOver()) : Optional.empty();
  }

  private Pass takeOver() {
    purpose = ImportPurpose.IMPORT_PURPOSE_TAKE_OVER;
    digests.from(0);
    reader =
        Optional.of(
            BlockReader.whole(
                block -> {
                  digests.verify(block);
                  takeOver(block);
                }));
    return new Pass(purpose, 0);
  }

  private void takeOver(Block block) {
    if (block.type() != Block.DATA) {
      return;
    }
    for (ExportEntry entry : Entries.of(block)) {
      if (entry.hasRecord()
          && entry.getRecord().getKind() == TaskStore.TASK.number()
          && ImportedRecords.isLive(entry.getRecord().getRecord().toByteArray())) {
        boolean done =
            parked.takeOver(options.tenant(), ACTOR, entry.getRecord().getId(), this::needSame);
        takenOver += done ? 1 : 0;
      }
    }
  }

  /** Checks that the import is still the one that was loaded: its tenant may have been deleted. */
  private void needSame(ReadTransaction tr) {
    Optional<ImportRecord> now = progress.find(tr);
    if (now.filter(one -> one.getEra() == era && one.getFinishedAt() != 0).isEmpty()) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_CONFLICT,
          "The tenant was deleted after the import, so its tasks are not taken over.");
    }
  }

  /** Returns the number of bytes of the file that this pass has processed. */
  long bytesProcessed() {
    return purpose == ImportPurpose.IMPORT_PURPOSE_LOAD
        ? loader.map(Loader::applied).orElse(0L)
        : check.wholeTo();
  }
}
