package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.error.ProtocolException;
import java.util.regex.Pattern;

/**
 * The folder that a workspace's root names. Lower case only, so that names are distinct on
 * case-insensitive file systems.
 *
 * @param text the folder's name, without separators
 */
record FolderName(String text) {
  private static final String PREFIX = "folder:";
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  /** Returns whether a root names a folder of the machine, validly or not. */
  static boolean isFolder(String root) {
    return root.startsWith(PREFIX);
  }

  /** Parses a root that {@link #isFolder names a folder}. */
  static FolderName of(String root) {
    String name = root.substring(PREFIX.length());
    if (!NAME.matcher(name).matches()) {
      throw ProtocolException.invalid(
          "root",
          "must have a folder name of 1 to 64 characters of a-z, 0-9, '.', '_' and '-' after"
              + " 'folder:', beginning with a letter or digit");
    }
    return new FolderName(name);
  }
}
