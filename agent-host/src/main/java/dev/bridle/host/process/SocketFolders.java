package dev.bridle.host.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The folders of a user's services and terminal multiplexers. Whoever reaches their sockets starts
 * programs, or types, outside of an agent's isolation.
 */
final class SocketFolders {
  private SocketFolders() {}

  /**
   * Returns those that exist, by their real paths. That of tmux is made where it is missing: else
   * one that starts later could be reached.
   *
   * @param user the number of the user
   */
  static List<Path> of(String user) {
    String name = System.getProperty("user.name", "");
    make(Path.of("/tmp/tmux-" + user));
    List<Path> folders = new ArrayList<>();
    for (String each :
        Set.of(
            "/run/user/" + user,
            "/tmp/tmux-" + user,
            "/run/screen/S-" + name,
            "/run/screens/S-" + name,
            "/tmp/screens/S-" + name,
            "/tmp/uscreens/S-" + name)) {
      Path folder = Path.of(each);
      // A link would lead to a folder of somebody else's choice.
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        real(folder, folders);
      }
    }
    return folders;
  }

  private static void make(Path folder) {
    try {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException | UnsupportedOperationException e) {
      // It is there, or nobody can make it.
    }
  }

  private static void real(Path folder, List<Path> to) {
    try {
      to.add(folder.toRealPath());
    } catch (IOException e) {
      // Gone meanwhile, or of another user: nothing to hide.
    }
  }
}
