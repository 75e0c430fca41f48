package dev.bridle.core.operations.portability;

import dev.bridle.admin.v1.ImportPurpose;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.operations.portability.file.Block;
import dev.bridle.core.operations.portability.file.BlockReader;
import dev.bridle.core.operations.portability.file.FileCheck;
import dev.bridle.core.work.dispatch.ParkedTasks;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedTenant;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.record.v1.TaskRecord;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One import under way: three passes over the file, each of which holds one block. The first writes
 * nothing. Not safe for several threads.
 */
final class ImportRun {
  private static final String ACTOR = "operator";

  private final Stored stored;
  private final ImportOptions options;
  private final Progress progress;
  private final ImportStart start;
  private final ImportEvents told;
  private final ParkedTasks parked;
  private final Comparison comparison;
  private final BlockDigests digests = new BlockDigests();
  private final byte[] file;
  private final Set<String> workspaces = new TreeSet<>();
  private final FileCheck check = new FileCheck(this::checked);
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
   * What imports are made with.
   *
   * @param stored where all lies
   * @param commands the gate for writes
   * @param tenants tenants
   * @param events events
   * @param parked parked tasks
   * @param clock wall time
   */
  record Parts(
      Stored stored,
      Commands commands,
      Tenants tenants,
      Events events,
      ParkedTasks parked,
      Clock clock) {}

  ImportRun(Parts parts, ImportOptions options, byte[] file) {
    this.stored = parts.stored();
    this.options = options;
    this.file = file.clone();
    this.progress = new Progress(stored, options.tenant(), file);
    this.start =
        new ImportStart(stored, parts.tenants(), options.tenant(), progress, parts.clock());
    this.told = new ImportEvents(parts.commands(), parts.events(), options.tenant(), progress);
    this.parked = parts.parked();
    this.comparison = new Comparison(stored, options);
  }

  /** What the file is to be sent for next, and from which byte on. */
  record Pass(ImportPurpose purpose, long offset) {}

  /** Begins; empty where nothing is to be done. */
  Optional<Pass> begin() {
    Optional<ImportRecord> before = stored.store().read(progress::find);
    alreadyLoaded = before.filter(record -> record.getFinishedAt() != 0).isPresent();
    appliedBefore = before.map(ImportRecord::getApplied).orElse(0L);
    era = before.map(ImportRecord::getEra).orElse(0);
    if (alreadyLoaded) {
      return options.takeOver() ? Optional.of(takeOver()) : Optional.empty();
    }
    return Optional.of(new Pass(purpose, 0));
  }

  /** Takes the next bytes. */
  void take(byte[] bytes) {
    if (reader.isPresent()) {
      reader.get().take(bytes, 0, bytes.length);
    } else {
      check.take(bytes, 0, bytes.length);
    }
  }

  /** Ends a pass. Returns the next one; empty where all is done. */
  Optional<Pass> end() {
    return switch (purpose) {
      case IMPORT_PURPOSE_CHECK -> Optional.of(load());
      case IMPORT_PURPOSE_LOAD -> loaded();
      default -> {
        reader.orElseThrow().end();
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
        .build();
  }

  private void checked(Block block) {
    digests.note(block);
    if (block.type() != Block.DATA) {
      return;
    }
    List<ExportEntry> entries = Entries.of(block);
    entries.forEach(this::noteEntry);
    stored
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
        var unused = Entries.read(stored.catalog(), entry.getRecord());
      }
      default -> {}
    }
  }

  private Pass load() {
    byte[] sha256 = check.end();
    if (!MessageDigest.isEqual(sha256, file)) {
      throw Entries.bad("it is not the file whose SHA-256 was told");
    }
    if (comparison.conflicts() > 0) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "Nothing was imported, since "
                  + comparison.conflicts()
                  + " things are here with other bytes: "
                  + comparison.told()
                  + ".")
          .with("conflicts", comparison.conflicts());
    }
    ImportRecord record =
        start.begin(check.header(), Math.max(maxEra, check.header().era()), tenant);
    era = record.getEra();
    purpose = ImportPurpose.IMPORT_PURPOSE_LOAD;
    Loader loading =
        new Loader(stored, options.tenant(), progress, comparison.kept(), record.getApplied());
    loader = Optional.of(loading);
    reader =
        Optional.of(
            BlockReader.from(
                record.getApplied(),
                block -> {
                  digests.need(block);
                  loading.add(block, block.type() == Block.DATA ? Entries.of(block) : List.of());
                }));
    return new Pass(purpose, record.getApplied());
  }

  private Optional<Pass> loaded() {
    reader.orElseThrow().end();
    loader.orElseThrow().flush();
    told.finish(check.header(), file, check.counts(), workspaces, session);
    return options.takeOver() ? Optional.of(takeOver()) : Optional.empty();
  }

  private Pass takeOver() {
    purpose = ImportPurpose.IMPORT_PURPOSE_TAKE_OVER;
    reader = Optional.of(BlockReader.whole(this::takeOver));
    return new Pass(purpose, 0);
  }

  private void takeOver(Block block) {
    if (block.type() != Block.DATA) {
      return;
    }
    for (ExportEntry entry : Entries.of(block)) {
      if (entry.hasRecord()
          && entry.getRecord().getKind() == TaskStore.TASK.number()
          && Stored.parse(TaskRecord.parser(), entry.getRecord().getRecord().toByteArray())
              .hasParked()) {
        boolean done = parked.takeOver(options.tenant(), ACTOR, entry.getRecord().getId());
        takenOver += done ? 1 : 0;
      }
    }
  }

  /** Returns up to which byte the file has been worked through in this pass. */
  long at() {
    return purpose == ImportPurpose.IMPORT_PURPOSE_LOAD
        ? loader.map(Loader::applied).orElse(0L)
        : check.wholeTo();
  }
}
