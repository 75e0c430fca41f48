package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.error.ProtocolException;
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
 * The folder of the machine that folders of workspaces lie in, by tenant. It is looked up once and
 * stays open: what is put in its place later is not seen.
 *
 * <p>An installation has one. A mark in the folder and the same in the store say which, so that no
 * process serves other files than the rest.
 */
public final class WorkspaceRoot implements AutoCloseable {
  /** The file that says whose the folder is. */
  static final String MARK = ".bridle-workspace-root";

  private static final int MOST_BYTES_OF_MARK = 256;
  private static final int TRIES = 5;

  private static final Logger log = LoggerFactory.getLogger(WorkspaceRoot.class);

  private final Path path;
  private final OpenFolder folder;

  private WorkspaceRoot(Path path, OpenFolder folder) {
    this.path = path;
    this.folder = folder;
  }

  /**
   * Opens a folder, and makes it the installation's root where that has none yet.
   *
   * @param installationId the installation's id
   * @throws WorkspaceRootException where it is no folder, can't be written to, can't be walked
   *     safely, or is another than the installation has
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
        throw new WorkspaceRootException("The workspace root " + directory + " is no folder.");
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
                          "This platform can't open files without following links on the way, so"
                              + " that no folder can be a workspace root; start without"
                              + " --workspace-root."));
      return new WorkspaceRoot(path, folder);
    } catch (NoSuchFileException e) {
      throw new WorkspaceRootException(
          "The workspace root " + directory + " is not there; make the folder first.", e);
    } catch (IOException e) {
      throw new WorkspaceRootException(
          "The workspace root " + directory + " can't be used: " + e, e);
    }
  }

  private void claim(KeyValueStore store, Installation installation, String installationId) {
    Optional<String> known =
        store.read(tr -> installation.workspaceRoot(tr).map(WorkspaceRoot::text));
    String mark =
        mark().or(() -> known.isPresent() ? Optional.empty() : made(installationId)).orElse("");
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
            + " All its servers need the same one. If this one is to take its place, let its file "
            + MARK
            + " hold: "
            + known.orElse(""));
  }

  private Optional<String> mark() {
    try {
      if (folder.look(MARK).filter(is -> is.isRegularFile()).isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(
          new String(folder.read(MARK, MOST_BYTES_OF_MARK), StandardCharsets.UTF_8).strip());
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

  private Optional<String> made(String installationId) {
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
   * Makes a folder in an open one. Folders can't be made in what is open alone: it is made here,
   * where no workspace reaches, and moved.
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

  /** Whoever is faster has made it; what is there comes and goes where somebody moves it about. */
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
          throw e;
        }
      }
    }
  }

  @Override
  public void close() {
    try {
      folder.close();
    } catch (IOException e) {
      log.debug("The workspace root was not closed.", e);
    }
  }
}
