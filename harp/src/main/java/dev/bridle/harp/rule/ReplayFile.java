package dev.bridle.harp.rule;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * A {@link ReplayRecord} in a file, with a line for each decision. While it is open, no other
 * process and no other thread opens the same one, so that of several enforcers with one decision
 * exactly one accepts it:
 *
 * <pre>{@code
 * try (ReplayFile used = ReplayFile.open(file)) {
 *   Instant now = Instant.now();               // not earlier: another one may have held the file
 *   if (rule.accept(decision, asked, used, now)) {
 *     used.add(decision, now, skew);           // on disk once it returns
 *   }
 * }
 * }</pre>
 *
 * <p>A line that was not written whole, since its process ended, is dropped: nobody has acted on
 * it. A file that was damaged in any other way is refused. Open and close it on the same thread.
 */
public final class ReplayFile implements ReplayRecord, AutoCloseable {
  /** The most decisions that are remembered at once. */
  static final int MAX_ENTRIES = 50_000;

  /** Lines that are not needed any more are removed once they are as many as the others. */
  private static final long MAX_BYTES = 2L * (MAX_ENTRIES + 1) * (ReplayEntry.MAX_BYTES + 1);

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /** A process can't lock a file twice, and closing one handle would drop the lock of another. */
  private static final ReentrantLock OF_THIS_PROCESS = new ReentrantLock(true);

  private final Path file;
  private final FileChannel lock;
  private final List<ReplayEntry> entries = new ArrayList<>();
  private final Map<String, String> byRequest = new HashMap<>();
  private final Map<String, String> byNonce = new HashMap<>();

  /** Whether a line can be appended to the file as it is. */
  private boolean whole = true;

  private ReplayFile(Path file, FileChannel lock) {
    this.file = file;
    this.lock = lock;
  }

  /**
   * Opens a file, waits until nobody else has it open, and reads it. A file that does not exist is
   * made by the first {@link #add}; its folder has to exist. Beside it, {@code NAME.lock} is
   * created, and never removed.
   *
   * @throws DamagedReplayFileException if it was changed or damaged
   * @throws IOException if it can't be read, or its folder can't be written
   */
  public static ReplayFile open(Path file) throws IOException {
    OF_THIS_PROCESS.lock();
    try {
      Path real = real(file);
      FileChannel lock =
          FileChannel.open(
              real.resolveSibling(real.getFileName() + ".lock"),
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              ownerOnly(real));
      try {
        // Held until the channel is closed.
        var unused = lock.lock();
        ReplayFile opened = new ReplayFile(real, lock);
        opened.read();
        return opened;
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      OF_THIS_PROCESS.unlock();
      throw e;
    }
  }

  /** Follows links, so that one file has one lock by whatever name it is opened. */
  private static Path real(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    if (!Files.notExists(absolute)) {
      Path real = absolute.toRealPath();
      if (!Files.isRegularFile(real)) {
        throw new IOException(file + " is not a regular file");
      }
      return real;
    }
    if (Files.isSymbolicLink(absolute)) {
      throw new IOException(file + " is a link to a file that does not exist");
    }
    return absolute.resolveSibling(".").toRealPath().resolve(absolute.getFileName());
  }

  private void read() throws IOException {
    // Not whether it exists: a file that can't be looked at must not be taken for a new one.
    if (Files.notExists(file)) {
      whole = false;
      return;
    }
    if (Files.size(file) > MAX_BYTES) {
      throw new DamagedReplayFileException("it has more than " + MAX_BYTES + " bytes");
    }
    closeToOthers();
    String text = new String(Files.readAllBytes(file), UTF_8);
    int number = 0;
    for (int begin = 0; begin < text.length(); ) {
      number++;
      int end = text.indexOf('\n', begin);
      String line = text.substring(begin, end < 0 ? text.length() : end);
      Optional<ReplayEntry> entry = ReplayEntry.parse(line);
      if (entry.isPresent()) {
        remember(entry.get());
      } else if (end >= 0 || !isTorn(line)) {
        throw new DamagedReplayFileException("line " + number + " is not as it was written");
      }
      whole = end >= 0;
      begin = end < 0 ? text.length() : end + 1;
    }
  }

  /** Returns whether a last line without its end can be one whose writing was interrupted. */
  private static boolean isTorn(String line) {
    return line.length() <= ReplayEntry.MAX_BYTES && line.indexOf('}') < 0;
  }

  private void remember(ReplayEntry entry) {
    entries.add(entry);
    byRequest.put(entry.request(), entry.decision());
    byNonce.put(entry.nonce(), entry.decision());
  }

  @Override
  public Optional<String> ofRequest(String requestId, String artifactHash) {
    return Optional.ofNullable(byRequest.get(ReplayEntry.requestHash(requestId, artifactHash)));
  }

  @Override
  public Optional<String> ofNonce(String nonce, String signerKeyId) {
    return Optional.ofNullable(byNonce.get(ReplayEntry.nonceHash(nonce, signerKeyId)));
  }

  /** Returns when a decision was used, if it is remembered. */
  public Optional<Instant> usedAt(Decision decision) throws HarpException {
    String hash = decision.hash();
    return entries.stream()
        .filter(entry -> entry.decision().equals(hash))
        .map(ReplayEntry::usedAt)
        .findFirst();
  }

  /**
   * Remembers a decision that is used now. Once this returns, it is on disk; if it throws, the
   * decision must not be acted on, and may be remembered or not.
   *
   * @param skew by how much clocks may differ, as in the {@link DecisionRule}
   * @throws IOException if the file can't be written, or has no room
   */
  public void add(Decision decision, Instant now, Duration skew) throws HarpException, IOException {
    ReplayEntry entry = ReplayEntry.of(decision, now, skew);
    List<ReplayEntry> kept = entries.stream().filter(old -> !now.isAfter(old.keptUntil())).toList();
    if (kept.size() >= MAX_ENTRIES) {
      throw new IOException(
          "it holds " + MAX_ENTRIES + " decisions that have not expired, which is the maximum");
    }
    if (whole && kept.size() * 2 > entries.size()) {
      write(file, entry.line() + "\n", StandardOpenOption.APPEND);
    } else {
      replace(kept, entry);
    }
    remember(entry);
    // Also where the file is not new: who made it may have ended before its name was on disk.
    syncNames();
  }

  /** Writes the file anew beside the old one, so that an end at any moment leaves one of both. */
  private void replace(List<ReplayEntry> kept, ReplayEntry entry) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(aside);
    String lines =
        kept.stream().map(old -> old.line() + "\n").collect(Collectors.joining())
            + entry.line()
            + "\n";
    write(aside, lines, StandardOpenOption.CREATE_NEW);
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    entries.clear();
    entries.addAll(kept);
    whole = true;
  }

  private static void write(Path file, String text, OpenOption option) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, Set.of(StandardOpenOption.WRITE, option), ownerOnly(file))) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Names of files are synced by their folder, where the system has handles of folders. */
  private void syncNames() throws IOException {
    if (isPosix(file)) {
      try (FileChannel names =
          FileChannel.open(file.resolveSibling("."), StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }

  /** Whoever can write the file could have a decision used twice. */
  private void closeToOthers() throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null && !OWNER_ONLY.containsAll(view.readAttributes().permissions())) {
      view.setPermissions(OWNER_ONLY);
    }
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static FileAttribute<?>[] ownerOnly(Path file) {
    return isPosix(file)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }

  /** Lets others open the file. */
  @Override
  public void close() throws IOException {
    try {
      lock.close();
    } finally {
      OF_THIS_PROCESS.unlock();
    }
  }
}
