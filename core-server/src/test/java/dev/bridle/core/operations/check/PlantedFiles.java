package dev.bridle.core.operations.check;

import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.record.v1.WorkspaceFileRecord;
import dev.bridle.record.v1.WorkspaceTreeRecord;
import dev.bridle.storage.layer.TenantSpace;
import java.util.List;

/** Faults in the files of workspaces. */
final class PlantedFiles {
  private static final long FILE = 53;
  private static final long TREE = 54;
  private static final String PATH = "default/notes/a.txt";

  private PlantedFiles() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
            FaultKind.BLOB_WRONG,
            "a piece of a file's content changed",
            (tenant, stored) -> {
              byte[] key = stored.key(TenantSpace.BLOB, blob(stored), 0L);
              byte[] piece = stored.value(key).clone();
              piece[3] ^= 1;
              stored.set(key, piece);
              return PATH;
            }),
        Plant.of(
            FaultKind.BLOB_WRONG,
            "a piece of a file's content lost",
            (tenant, stored) -> {
              stored.clear(stored.key(TenantSpace.BLOB, blob(stored), 1L));
              return PATH;
            }),
        Plant.of(
                FaultKind.BLOB_ORPHANED,
                "what a file held before it was written again",
                (tenant, stored) -> {
                  String old = PATH + "@blob_old";
                  stored.set(stored.key(TenantSpace.BLOB, old, 0L), new byte[1]);
                  return old;
                })
            .mended(),
        Plant.of(
            FaultKind.BLOB_ORPHANED,
            "content whose file is lost",
            (tenant, stored) -> {
              String blob = blob(stored);
              stored.clear(stored.key(TenantSpace.RECORD, FILE, PATH));
              return blob;
            }),
        Plant.of(
            FaultKind.WORKSPACE_TREE_WRONG,
            "a workspace that counts a file too many",
            (tenant, stored) -> {
              stored.<WorkspaceTreeRecord>changed(
                  TREE,
                  "default",
                  WorkspaceTreeRecord.parser(),
                  tree -> tree.toBuilder().setFiles(tree.getFiles() + 1).build());
              return "default";
            }),
        Plant.of(
            FaultKind.REFERENCE_BROKEN,
            "a file in a workspace that counts none",
            (tenant, stored) -> {
              stored.clear(stored.key(TenantSpace.RECORD, TREE, "default"));
              return PATH;
            }),
        Plant.of(
            FaultKind.RECORD_MISPLACED,
            "a file under another path than its own",
            (tenant, stored) -> {
              stored.<WorkspaceFileRecord>changed(
                  FILE,
                  PATH,
                  WorkspaceFileRecord.parser(),
                  file -> file.toBuilder().setPath("notes/b.txt").build());
              return PATH;
            }));
  }

  private static String blob(Stored stored) {
    return stored.list(TenantSpace.BLOB).stream()
        .map(row -> row.key().text(0))
        .filter(blob -> blob.startsWith(PATH + "@"))
        .findFirst()
        .orElseThrow();
  }
}
