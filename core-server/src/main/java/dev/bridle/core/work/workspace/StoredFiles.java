package dev.bridle.core.work.workspace;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.WorkspaceFileRecord;
import dev.bridle.record.v1.WorkspaceTreeRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.workspace.v1.Workspace;
import dev.bridle.workspace.v1.WorkspaceFileEntry;
import dev.bridle.workspace.v1.WorkspaceFileKind;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Stores the files of workspaces in the key-value store. Directories are implied by the paths of
 * files:
 *
 * <pre>
 * tenant / RECORD / WORKSPACE_FILE, workspace/path    → size, hash and blob of a file
 * tenant / RECORD / WORKSPACE_TREE, workspace         → number and bytes of all files
 * tenant / BLOB / workspace/path@id, chunk            → content
 * </pre>
 */
public final class StoredFiles implements WorkspaceFiles {
  /** The definition of files of workspaces. */
  public static final RecordDef<WorkspaceFileRecord> WORKSPACE_FILE =
      RecordDef.of(53, "workspace file", WorkspaceFileRecord.parser())
          .id(record -> id(record.getWorkspaceId(), record.getPath()))
          .refersTo("workspace tree", WorkspaceFileRecord::getWorkspaceId)
          .exported()
          .build();

  /** The definition of a workspace's file totals. */
  public static final RecordDef<WorkspaceTreeRecord> WORKSPACE_TREE =
      RecordDef.of(54, "workspace tree", WorkspaceTreeRecord.parser())
          .id(WorkspaceTreeRecord::getWorkspaceId)
          .refersTo("workspace", WorkspaceTreeRecord::getWorkspaceId)
          .exported()
          .build();

  private static final int AT_ONCE = 100;

  private final RecordStore<WorkspaceFileRecord> files;
  private final RecordStore<WorkspaceTreeRecord> trees;
  private final BlobStore blobs;

  StoredFiles(KeyLayout layout, BlobStore blobs) {
    this.files = WORKSPACE_FILE.store(layout);
    this.trees = WORKSPACE_TREE.store(layout);
    this.blobs = blobs;
  }

  @Override
  public Optional<PathContent> find(
      ReadTransaction tr, String tenant, Workspace workspace, FilePath path) {
    Optional<WorkspaceFileRecord> file =
        path.isRoot() ? Optional.empty() : file(tr, tenant, workspace.getId(), path);
    if (file.isPresent()) {
      return file.map(
          is ->
              new PathContent.TextFile(
                  new String(content(tr, tenant, is), StandardCharsets.UTF_8), is.getSize()));
    }
    List<WorkspaceFileEntry> entries = list(tr, tenant, workspace.getId(), path);
    return entries.isEmpty() && !path.isRoot()
        ? Optional.empty()
        : Optional.of(new PathContent.Directory(entries));
  }

  private Optional<WorkspaceFileRecord> file(
      ReadTransaction tr, String tenant, String workspace, FilePath path) {
    return files.get(tr, tenant, id(workspace, path.text()));
  }

  /** Returns a file's content, read with the file in one transaction. */
  private byte[] content(ReadTransaction tr, String tenant, WorkspaceFileRecord file) {
    ByteArrayOutputStream content = new ByteArrayOutputStream((int) file.getSize());
    blobs
        .read(tr, tenant, file.getBlobId(), 0, BlobStore.CHUNKS_AT_ONCE)
        .forEach(content::writeBytes);
    if (content.size() != file.getSize()) {
      throw new IllegalStateException("the stored content of a file is incomplete");
    }
    return content.toByteArray();
  }

  /** Returns the entries of a directory, ordered by name. Deeper levels are skipped by key. */
  private List<WorkspaceFileEntry> list(
      ReadTransaction tr, String tenant, String workspace, FilePath directory) {
    String prefix = id(workspace, directory.below());
    List<WorkspaceFileEntry> entries = new ArrayList<>();
    Optional<String> from = Optional.of(prefix);
    while (from.isPresent()) {
      from = step(tr, tenant, prefix, from.get(), directory, entries);
    }
    entries.sort(Comparator.comparing(WorkspaceFileEntry::getName));
    return entries;
  }

  /** Reads up to the next directory, and returns the key to continue from. */
  private Optional<String> step(
      ReadTransaction tr,
      String tenant,
      String prefix,
      String from,
      FilePath directory,
      List<WorkspaceFileEntry> entries) {
    List<WorkspaceFileRecord> rows = files.withPrefix(tr, tenant, prefix, from, AT_ONCE);
    for (WorkspaceFileRecord row : rows) {
      String rest = row.getPath().substring(directory.below().length());
      int slash = rest.indexOf('/');
      String name = slash < 0 ? rest : rest.substring(0, slash);
      entries.add(
          WorkspaceFileEntry.newBuilder()
              .setName(name)
              .setPath(directory.below() + name)
              .setKind(
                  slash < 0
                      ? WorkspaceFileKind.WORKSPACE_FILE_KIND_FILE
                      : WorkspaceFileKind.WORKSPACE_FILE_KIND_DIRECTORY)
              .setSize(slash < 0 ? row.getSize() : 0)
              .build());
      if (slash >= 0) {
        return Optional.of(prefix + name + (char) ('/' + 1));
      }
    }
    return rows.size() < AT_ONCE ? Optional.empty() : Optional.of(after(rows.get(rows.size() - 1)));
  }

  /** Paths contain no control characters, so this is the next possible id. */
  private static String after(WorkspaceFileRecord row) {
    return id(row.getWorkspaceId(), row.getPath()) + '\u0001';
  }

  @Override
  public void write(Write write, Workspace target, FilePath path, byte[] content, byte[] sha256) {
    String workspace = target.getId();
    needRoomForName(write, workspace, path);
    Optional<WorkspaceFileRecord> before = file(write.tr(), write.tenant(), workspace, path);
    grow(write, workspace, before, content.length);
    String id = id(workspace, path.text());
    WorkspaceFileRecord file =
        WorkspaceFileRecord.newBuilder()
            .setWorkspaceId(workspace)
            .setPath(path.text())
            .setBlobId(id + "@" + write.id("blob"))
            .setSize(content.length)
            .setSha256(ByteString.copyFrom(sha256))
            .build();
    before.ifPresent(old -> blobs.delete(write.tr(), write.tenant(), old.getBlobId()));
    long chunk = 0;
    for (int at = 0; at < content.length; at += BlobStore.CHUNK_BYTES) {
      int end = Math.min(content.length, at + BlobStore.CHUNK_BYTES);
      blobs.write(
          write.tr(),
          write.tenant(),
          file.getBlobId(),
          chunk++,
          Arrays.copyOfRange(content, at, end));
    }
    before.ifPresentOrElse(
        old -> files.update(write.tr(), write.tenant(), id, old, file),
        () -> files.insert(write.tr(), write.tenant(), id, file));
  }

  /** Checks that no file has the name of a parent directory, and no directory that of the file. */
  private void needRoomForName(Write write, String workspace, FilePath path) {
    for (FilePath directory : path.directories()) {
      if (file(write.tr(), write.tenant(), workspace, directory).isPresent()) {
        throw FileErrors.fileInTheWay(directory);
      }
    }
    String below = id(workspace, path.below());
    if (!files.withPrefix(write.tr(), write.tenant(), below, below, 1).isEmpty()) {
      throw FileErrors.directoryInTheWay(path);
    }
  }

  private void grow(Write write, String workspace, Optional<WorkspaceFileRecord> old, int size) {
    Optional<WorkspaceTreeRecord> before = trees.get(write.tr(), write.tenant(), workspace);
    WorkspaceTreeRecord.Builder after =
        before.map(WorkspaceTreeRecord::toBuilder).orElseGet(WorkspaceTreeRecord::newBuilder);
    after
        .setWorkspaceId(workspace)
        .setFiles(after.getFiles() + (old.isEmpty() ? 1 : 0))
        .setBytes(after.getBytes() + size - old.map(WorkspaceFileRecord::getSize).orElse(0L));
    boolean grows = size > old.map(WorkspaceFileRecord::getSize).orElse(-1L);
    if (grows && (after.getFiles() > MOST_FILES || after.getBytes() > MOST_BYTES)) {
      throw FileErrors.full();
    }
    WorkspaceTreeRecord tree = after.build();
    before.ifPresentOrElse(
        there -> trees.update(write.tr(), write.tenant(), workspace, there, tree),
        () -> trees.insert(write.tr(), write.tenant(), workspace, tree));
  }

  /** Returns the id of the record of a workspace's file. */
  public static String id(String workspace, String path) {
    return workspace + "/" + path;
  }
}
