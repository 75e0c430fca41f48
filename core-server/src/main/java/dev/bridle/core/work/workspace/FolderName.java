package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.error.ProtocolException;
import java.util.regex.Pattern;

/**
 * The folder that a workspace's root names. Small letters only, so that two names are two folders
 * on every file system.
 *
 * @param text one plain name, which leads nowhere else
 */
record FolderName(String text) {
  private static final String SPELLED = "folder:";
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  /** Returns whether a root is to be a folder of the machine, rightly named or not. */
  static boolean meantBy(String root) {
    return root.startsWith(SPELLED);
  }

  /** Reads a root that {@link #meantBy means} a folder. */
  static FolderName of(String root) {
    String name = root.substring(SPELLED.length());
    if (!NAME.matcher(name).matches()) {
      throw ProtocolException.invalid(
          "root",
          "names no folder: behind 'folder:' come 1 to 64 of a-z, 0-9, '.', '_' and '-', first a"
              + " letter or a digit");
    }
    return new FolderName(name);
  }
}
