package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.error.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A folder anywhere on the machine of the agent that works in it, as the root of a workspace:
 * {@code dir:} and its absolute path. Only the operator opens one, since such an agent reads and
 * writes the folder itself.
 *
 * @param path the absolute path, without {@code .}, {@code ..} and empty names
 */
public record MachineFolder(String path) {
  private static final String PREFIX = "dir:";

  /** Begins the root of a folder that a file has brought, and that nobody has opened here. */
  private static final String CLOSED = "imported-";

  private static final String ID_PREFIX = "workspace_dir";
  private static final int ID_BYTES = 13;

  /** Checks the path; {@code invalid_request} with the member {@code folder} otherwise. */
  public MachineFolder {
    if (!isPlain(path)) {
      throw ProtocolException.invalid(
          "folder",
          "must be an absolute path without '.', '..', empty names and control characters");
    }
  }

  /** Returns the folder of a workspace's root, if that is one. */
  public static Optional<MachineFolder> ofRoot(String root) {
    return Optional.of(root)
        .filter(given -> given.startsWith(PREFIX))
        .map(spelled -> spelled.substring(PREFIX.length()))
        .filter(MachineFolder::isPlain)
        .map(MachineFolder::new);
  }

  /** Returns whether a workspace may have such a root, as far as its id tells. */
  public static boolean isPossible(String workspaceId) {
    return workspaceId.startsWith(ID_PREFIX);
  }

  /** Returns whether a path is plain, and one of something below this folder. */
  public boolean holds(String file) {
    String below = path.equals("/") ? path : path + "/";
    return file.startsWith(below) && file.length() > below.length() && isPlain(file);
  }

  /** Returns whether a root names such a folder, validly or not, open or closed. */
  public static boolean isRoot(String root) {
    return root.startsWith(PREFIX) || isClosed(root);
  }

  /** Returns whether a root names a folder that a file has brought, and that nobody has opened. */
  static boolean isClosed(String root) {
    return root.startsWith(CLOSED + PREFIX);
  }

  /**
   * Returns what becomes of a root that a file brings: no agent works in a folder of this machine
   * that only the file names, until the operator opens it.
   */
  public static String closed(String root) {
    return root.startsWith(PREFIX) ? CLOSED + root : root;
  }

  private static boolean isPlain(String path) {
    if (!path.startsWith("/") || path.chars().anyMatch(Character::isISOControl)) {
      return false;
    }
    if (path.equals("/")) {
      return true;
    }
    for (String name : path.substring(1).split("/", -1)) {
      if (name.isEmpty() || name.equals(".") || name.equals("..")) {
        return false;
      }
    }
    return true;
  }

  /** Returns the root of the folder's workspace. */
  String root() {
    return PREFIX + path;
  }

  /** Returns the name of the folder's workspace: its last name. */
  String name() {
    String last = path.substring(path.lastIndexOf('/') + 1);
    return last.isEmpty() ? "/" : last;
  }

  /** Returns the id of the folder's workspace, which follows from the path. */
  String workspaceId() {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
      return ID_PREFIX + HexFormat.of().formatHex(hash, 0, ID_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
