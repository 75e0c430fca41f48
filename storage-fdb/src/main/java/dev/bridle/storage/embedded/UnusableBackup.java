package dev.bridle.storage.embedded;

import dev.bridle.storage.BackupFailedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A backup of a folder that can't be restored, since it was not finished or some of it is missing.
 * RocksDB leaves those out of its list without a word:
 *
 * <pre>
 * meta/3                        what backup 3 consists of, one file a line
 * meta/.3.tmp                   the same while it is being made
 * private/3, shared_checksum    its files
 * </pre>
 *
 * @param number its number
 * @param reason what is wrong with it, such as "was not finished"
 */
public record UnusableBackup(int number, String reason) {
  private static final String META = "meta";
  private static final String PRIVATE = "private";
  private static final Pattern NUMBERED = Pattern.compile("\\.?([0-9]{1,9})(?:\\.tmp)?");
  private static final Pattern FILE_LINE = Pattern.compile("((?:private|shared\\w*)/\\S+)(?: .*)?");

  /**
   * Returns those of a folder, oldest first.
   *
   * @param usable the numbers of the backups that can be restored
   */
  static List<UnusableBackup> in(Path folder, Set<Integer> usable) {
    try {
      Set<Integer> numbers = new TreeSet<>(numbers(folder.resolve(META)));
      numbers.addAll(numbers(folder.resolve(PRIVATE)));
      numbers.removeAll(usable);
      List<UnusableBackup> found = new ArrayList<>();
      for (int number : numbers) {
        found.add(new UnusableBackup(number, reason(folder, number)));
      }
      return found;
    } catch (IOException e) {
      throw new BackupFailedException(
          "The backup folder " + folder + " can't be read: " + e.getMessage() + ".", e);
    }
  }

  private static Set<Integer> numbers(Path directory) throws IOException {
    Set<Integer> numbers = new TreeSet<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> entries = Files.list(directory)) {
        entries
            .map(entry -> NUMBERED.matcher(entry.getFileName().toString()))
            .filter(Matcher::matches)
            .forEach(name -> numbers.add(Integer.parseInt(name.group(1))));
      }
    }
    return numbers;
  }

  private static String reason(Path folder, int number) throws IOException {
    Path list = folder.resolve(META).resolve(String.valueOf(number));
    if (!Files.isRegularFile(list)) {
      return "was not finished, or its " + META + "/" + number + " is missing";
    }
    return missing(folder, Files.readString(list, StandardCharsets.ISO_8859_1))
        .map(file -> "lacks its file " + file)
        .orElse("has a damaged " + META + "/" + number);
  }

  private static Optional<String> missing(Path folder, String list) {
    return list.lines()
        .map(FILE_LINE::matcher)
        .filter(Matcher::matches)
        .map(line -> line.group(1))
        .filter(file -> !Files.exists(folder.resolve(file)))
        .findFirst();
  }
}
