package dev.bridle.cli.up;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShellWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The files of a server with which an agent that it hosts could approve its own actions: keys,
 * private keys and tokens. They belong below the data directory, which agents don't see.
 *
 * @param all the files, each with the option that names it
 */
record KeyFiles(List<KeyFile> all) {
  /** Copies the list. */
  KeyFiles {
    all = List.copyOf(all);
  }

  /**
   * A file.
   *
   * @param option the option that names it
   * @param file the file, which may not exist yet
   */
  record KeyFile(String option, Path file) {
    /** Returns where it is, or will be, without links. */
    private Path real() throws IOException {
      Path absolute = file.toAbsolutePath();
      if (Files.exists(absolute)) {
        return absolute.toRealPath();
      }
      Path folder = Optional.ofNullable(absolute.getParent()).orElse(absolute);
      return Files.exists(folder) ? folder.toRealPath().resolve(absolute.getFileName()) : absolute;
    }
  }

  /** Returns the files that options name. */
  @SafeVarargs
  static KeyFiles of(List<KeyFile>... named) {
    List<KeyFile> all = new ArrayList<>();
    for (List<KeyFile> files : named) {
      all.addAll(files);
    }
    return new KeyFiles(all);
  }

  /** Returns the file that an option names, if it does. */
  static List<KeyFile> of(String option, Optional<Path> file) {
    return file.map(path -> new KeyFile(option, path)).stream().toList();
  }

  /**
   * Checks that agents can't read them.
   *
   * @param hidden the folder that agents don't see, by its real path
   * @param isHidden whether this machine hides it; if not, nothing is, and the operator is told
   * @throws CommandFailed if it is hidden and a file lies elsewhere
   */
  void check(Path hidden, boolean isHidden, Consumer<String> notices) throws IOException {
    for (KeyFile key : all) {
      if (key.real().startsWith(hidden)) {
        continue;
      }
      String said =
          key.option()
              + " "
              + ShellWord.quoted(key.file().toString())
              + " lies where hosted agents can read it, and with it an agent could approve its own"
              + " actions. Move it below "
              + hidden
              + (isHidden ? ", which is hidden from them." : ".");
      if (isHidden) {
        throw new CommandFailed(ExitCodes.USAGE, said);
      }
      notices.accept("warning: " + said);
    }
  }
}
