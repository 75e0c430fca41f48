package dev.bridle.cli.backup;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.StoreTrouble;
import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.core.operations.backup.Restoration;
import dev.bridle.core.operations.backup.StoredGrants;
import dev.bridle.core.operations.backup.StoredTenants;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.storage.StoredBackup;
import dev.bridle.storage.embedded.BackupFolder;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.embedded.UnusableBackup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Restores a backup. Works in a folder beside the target and renames it last, so that an
 * interrupted restore can't be started as a server.
 */
final class Restore {
  /** The number of eras to skip if it is unknown how many were started since the backup. */
  private static final int UNKNOWN_ERAS = 100;

  private final Path from;
  private final Path target;
  private final Optional<Path> old;

  Restore(Path from, Path target, Optional<Path> old) {
    this.from = from;
    this.target = target;
    this.old = old;
  }

  /**
   * The result of a restore.
   *
   * @param backup the restored backup
   * @param passedOver the newer ones, which can't be restored
   * @param report the changes made to the restored data
   * @param alive the valid API keys, including those revoked since the backup
   * @param grants the valid standing grants, including those revoked since the backup
   * @param revoked what this restore revoked
   * @param masterKey the id of the master key that its secrets are sealed with; empty if it has
   *     none
   */
  record Result(
      StoredBackup backup,
      List<UnusableBackup> passedOver,
      Restoration.Report report,
      List<AliveKey> alive,
      List<AliveGrant> grants,
      Restoration.Ended revoked,
      Optional<String> masterKey) {}

  /**
   * A valid API key.
   *
   * @param key the key
   * @param again whether it had been revoked since the backup
   */
  record AliveKey(StoredTenants.Key key, boolean again) {}

  /**
   * A valid standing grant.
   *
   * @param grant the grant
   * @param again whether it had been revoked since the backup
   */
  record AliveGrant(StoredGrants.Stored grant, boolean again) {}

  /** The backup that is restored, and the newer ones that can't be. */
  private record Chosen(StoredBackup backup, List<UnusableBackup> passedOver) {}

  /** What is known about the directory that the restore replaces. */
  private record Before(Map<String, Integer> eras, Set<String> revoked) {}

  Result run(Optional<Integer> number, boolean revoke) throws IOException {
    BackupFolder.requirePlainFiles(from);
    Before before = before();
    Path work = target.resolveSibling(target.getFileName() + ".restoring");
    Folders.make(work);
    try {
      Chosen chosen;
      try (BackupFolder backups = BackupFolder.existing(from, work)) {
        StoredBackup backup = backups.restore(number, work);
        chosen =
            new Chosen(
                backup, number.isEmpty() ? backups.unusableAfter(backup.number()) : List.of());
      }
      Result result = prepare(work, chosen, before, revoke);
      Files.deleteIfExists(target); // An existing target is empty.
      Files.move(work, target, StandardCopyOption.ATOMIC_MOVE);
      return result;
    } finally {
      Folders.remove(work);
    }
  }

  private Result prepare(Path work, Chosen chosen, Before before, boolean revoke)
      throws IOException {
    try (EmbeddedStore store = EmbeddedStore.open(work, EmbeddedOptions.DEFAULT)) {
      Restoration restoration = new Restoration(store, Clock.systemUTC());
      Restoration.Report report =
          restoration.run(chosen.backup(), before.eras(), old.isPresent() ? 0 : UNKNOWN_ERAS);
      new EraNotes(from).write(report.eras());
      Restoration.Ended revoked = revoke ? restoration.revokeAll() : new Restoration.Ended(0, 0);
      List<AliveKey> alive =
          restoration.keys().stream()
              .filter(key -> !key.revoked())
              .map(key -> new AliveKey(key, before.revoked().contains(key.id())))
              .toList();
      List<AliveGrant> grants =
          restoration.grants().stream()
              .filter(StoredGrants.Stored::holds)
              .map(
                  stored ->
                      new AliveGrant(stored, before.revoked().contains(stored.grant().getId())))
              .toList();
      return new Result(
          chosen.backup(),
          chosen.passedOver(),
          report,
          alive,
          grants,
          revoked,
          Seals.usedBy(store));
    }
  }

  private Before before() throws IOException {
    Map<String, Integer> eras = new TreeMap<>(new EraNotes(from).read());
    Set<String> revoked = new HashSet<>();
    if (old.isPresent()) {
      Path replaced = old.get();
      try {
        var unused = StoreTrouble.inOneLine(replaced, () -> read(replaced, eras, revoked));
      } catch (CommandFailed e) {
        throw new CommandFailed(
            e.exitCode(), "--old-data-dir " + replaced + ": " + e.getMessage(), e);
      }
    }
    return new Before(eras, revoked);
  }

  /** Reads the replaced directory without changing stored data. */
  private static boolean read(Path replaced, Map<String, Integer> eras, Set<String> revoked) {
    if (!EngineChoice.isEmbedded(replaced)) {
      throw new CommandFailed(ExitCodes.USAGE, "The directory contains no data.");
    }
    try (EmbeddedStore store = EmbeddedStore.open(replaced, EmbeddedOptions.DEFAULT)) {
      Optional<StoredTenants> tenants = StoredTenants.in(store);
      tenants.ifPresent(
          stored -> {
            stored.eras().forEach((tenant, era) -> eras.merge(tenant, era, Math::max));
            stored.keys().stream()
                .filter(StoredTenants.Key::revoked)
                .forEach(key -> revoked.add(key.id()));
            stored.grants().stream()
                .map(StoredGrants.Stored::grant)
                .filter(PermissionGrant::hasRevokedAt)
                .forEach(grant -> revoked.add(grant.getId()));
          });
      return tenants.isPresent();
    }
  }
}
