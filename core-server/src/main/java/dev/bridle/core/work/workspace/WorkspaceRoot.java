package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.folder.OpenFolder;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.Installation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of workspace folders, by tenant. It is opened once and stays open, so replacing it
 * on disk has no effect.
 *
 * <p>An installation has one. A marker file in the folder and the same value in the store identify
 * it, so that all processes serve the same files.
 */
public final class WorkspaceRoot implements AutoCloseable {
  /** The marker file, which names the installation. */
  static final String MARK = ".bridle-workspace-root";

  private static final int MAX_MARK_BYTES = 256;
  private static final int TRIES = 5;

  private static final Logger log = LoggerFactory.getLogger(WorkspaceRoot.class);

  private final Path path;
  private final OpenFolder folder;

  private WorkspaceRoot(Path path, OpenFolder folder) {
    this.path = path;
    this.folder = folder;
  }

  /**
   * Opens a folder, and makes it the installation's root if there is none yet.
   *
   * @param installationId the installation's id
   * @throws WorkspaceRootException if it is not a folder, not writable, can't be opened without
   *     following links, or is not the installation's root
   */
  public static WorkspaceRoot open(
      Path directory, KeyValueStore store, Installation installation, String installationId) {
    WorkspaceRoot root = open(directory);
    try {
      root.claim(store, installation, installationId);
      return root;
    } catch (RuntimeException e) {
      root.close();
      throw e;
    }
  }

  private static WorkspaceRoot open(Path directory) {
    try {
      Path path = directory.toRealPath();
      if (!Files.isDirectory(path)) {
        throw new WorkspaceRootException("The workspace root " + directory + " is not a folder.");
      }
      if (!Files.isWritable(path)) {
        throw new WorkspaceRootException(
            "The workspace root " + directory + " can't be written to; let this user write there.");
      }
      OpenFolder folder =
          OpenFolder.at(path)
              .orElseThrow(
                  () ->
                      new WorkspaceRootException(
                          "This platform can't open files without following links, so workspace"
                              + " roots are not supported; start without --workspace-root."));
      return new WorkspaceRoot(path, folder);
    } catch (NoSuchFileException e) {
      throw new WorkspaceRootException(
          "The workspace root " + directory + " does not exist; create the folder first.", e);
    } catch (IOException e) {
      throw new WorkspaceRootException(
          "The workspace root " + directory + " can't be used: " + e, e);
    }
  }

  private void claim(KeyValueStore store, Installation installation, String installationId) {
    Optional<String> known =
        store.read(tr -> installation.workspaceRoot(tr).map(WorkspaceRoot::text));
    String mark =
        mark()
            .or(() -> known.isPresent() ? Optional.empty() : createMark(installationId))
            .orElse("");
    if (!mark.startsWith(installationId + " ")
        || known.filter(is -> !is.equals(mark)).isPresent()) {
      throw other(installationId, known, mark);
    }
    byte[] bytes = mark.getBytes(StandardCharsets.UTF_8);
    String kept = text(store.transact(tr -> installation.keepWorkspaceRoot(tr, bytes)));
    if (!kept.equals(mark)) {
      throw other(installationId, Optional.of(kept), mark);
    }
  }

  private static String text(byte[] mark) {
    return new String(mark, StandardCharsets.UTF_8);
  }

  private WorkspaceRootException other(String installationId, Optional<String> known, String mark) {
    if (!mark.isEmpty() && !mark.startsWith(installationId + " ")) {
      return new WorkspaceRootException(
          "The workspace root "
              + path
              + " belongs to another installation, as its file "
              + MARK
              + " says; give each installation a folder of its own, or remove that file if it is"
              + " wrong.");
    }
    return new WorkspaceRootException(
        "The workspace root "
            + path
            + " is another folder than this installation has used before."
            + " All its servers need the same one. To replace the earlier folder by this one,"
            + " set the content of its file "
            + MARK
            + " to: "
            + known.orElse(""));
  }

  private Optional<String> mark() {
    try {
      if (folder.look(MARK).filter(is -> is.isRegularFile()).isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(
          new String(folder.read(MARK, MAX_MARK_BYTES), StandardCharsets.UTF_8).strip());
    } catch (IOException | ProtocolException e) {
      throw new WorkspaceRootException(
          "The file "
              + MARK
              + " of the workspace root "
              + path
              + " can't be read: "
              + e.getMessage(),
          e);
    }
  }

  private Optional<String> createMark(String installationId) {
    String mark = installationId + " " + UUID.randomUUID();
    try {
      folder.make(MARK, (mark + "\n").getBytes(StandardCharsets.UTF_8));
      return Optional.of(mark);
    } catch (FileAlreadyExistsException another) {
      return mark();
    } catch (IOException e) {
      throw new WorkspaceRootException(
          "The workspace root " + path + " can't be written to: " + e, e);
    }
  }

  /** Returns the folder, which stays open. */
  OpenFolder folder() {
    return folder;
  }

  /**
   * Creates a folder in an open one. Java can't create folders relative to an open folder, so it is
   * created in the root, which no workspace can access, and moved.
   */
  void make(OpenFolder in, String name) throws IOException {
    String fresh = OpenFolder.TEMPORARY + UUID.randomUUID();
    var unused = Files.createDirectory(path.resolve(fresh));
    try {
      move(fresh, in, name);
    } finally {
      if (folder.look(fresh).isPresent()) {
        folder.removeFolder(fresh);
      }
    }
  }

  /**
   * Moves the folder; an existing one, created concurrently, is kept. Retries if it disappears
   * again.
   *
   * @throws NoSuchFileException if something with this name appeared and disappeared at each try
   */
  private void move(String fresh, OpenFolder in, String name) throws IOException {
    for (int i = 1; ; i++) {
      try {
        in.take(folder, fresh, name);
        return;
      } catch (IOException e) {
        if (in.look(name).isPresent()) {
          return;
        }
        if (i == TRIES) {
          throw isTakenByOthers(fresh, in) ? new NoSuchFileException(name) : e;
        }
      }
    }
  }

  /**
   * Returns whether only the name was in the way. Java gives the same exception for a name that is
   * in use and for a full disk, so the folder is moved to an unused name, and then removed.
   */
  private boolean isTakenByOthers(String fresh, OpenFolder in) throws IOException {
    String unused = OpenFolder.TEMPORARY + UUID.randomUUID();
    try {
      in.take(folder, fresh, unused);
    } catch (IOException notTheName) {
      log.debug("Moving a folder to an unused name failed.", notTheName);
      return false;
    }
    in.removeFolder(unused);
    return true;
  }

  @Override
  public void close() {
    try {
      folder.close();
    } catch (IOException e) {
      log.debug("Closing the workspace root failed.", e);
    }
  }
}
