package dev.bridle.core.work.permission;

import dev.bridle.core.work.workspace.MachineFolder;
import dev.bridle.permission.v1.PermissionAction;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Edits that a grant for a folder may cover: of files below that folder, all of which the worker
 * has named, without links. Neither a deletion nor a move is one, nor a command.
 */
final class FolderEdits {
  private static final String KIND = "edit";

  private FolderEdits() {}

  /** Returns whether an action is of the kind at all, wherever its files are. */
  static boolean possible(PermissionAction action) {
    return action.getKind().equals(KIND) && action.getEditedFilesCount() > 0;
  }

  /**
   * Returns the narrowest folder that holds all edited files; empty if a file is not in the
   * workspace, or is protected.
   */
  static Optional<String> narrowest(PermissionAction action, MachineFolder root) {
    if (!allowed(action, root)) {
      return Optional.empty();
    }
    List<String> folder = names(parent(action.getEditedFiles(0)));
    for (String file : action.getEditedFilesList()) {
      List<String> other = names(parent(file));
      int common = 0;
      while (common < Math.min(folder.size(), other.size())
          && folder.get(common).equals(other.get(common))) {
        common++;
      }
      folder = folder.subList(0, common);
    }
    return folder.isEmpty() ? Optional.empty() : Optional.of("/" + String.join("/", folder));
  }

  /** Returns whether all that an action edits lies below a folder, and in the workspace. */
  static boolean areBelow(String folder, PermissionAction action, MachineFolder root) {
    return allowed(action, root)
        && action.getEditedFilesList().stream().allMatch(file -> file.startsWith(folder + "/"));
  }

  private static boolean allowed(PermissionAction action, MachineFolder root) {
    return possible(action)
        && !ProtectedPaths.touchedBy(action)
        && action.getEditedFilesList().stream().allMatch(root::holds);
  }

  private static String parent(String file) {
    return file.substring(0, file.lastIndexOf('/'));
  }

  private static List<String> names(String folder) {
    return Arrays.stream(folder.split("/")).filter(name -> !name.isEmpty()).toList();
  }
}
