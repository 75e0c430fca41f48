package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.bridge.ToolFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of a folder, and what lies outside of it. */
final class FolderFilesTest {
  private static final int RACES = 2_000;
  private static final int WRITES = 200;

  @TempDir private Path root;
  private Path folder;
  private Path outside;
  private FolderFiles files;

  @BeforeEach
  void make() throws IOException {
    Path real = root.toRealPath();
    folder = Files.createDirectory(real.resolve("folder"));
    outside = Files.createDirectory(real.resolve("outside"));
    Files.createDirectory(folder.resolve("sub"));
    Files.writeString(folder.resolve("sub/a.txt"), "one\ntwo fish\n");
    Files.writeString(outside.resolve("a.txt"), "two secrets\n");
    files = new FolderFiles(RootFolder.of(folder));
  }

  @Test
  void filesOfTheFolderAreReadListedAndSearched() throws Exception {
    Files.writeString(folder.resolve("b.txt"), "two\n");
    Files.createSymbolicLink(folder.resolve("within"), Path.of("sub/a.txt"));

    assertThat(files.read(arguments("path", "sub/a.txt")).get("content").textValue())
        .isEqualTo("one\ntwo fish");
    assertThat(files.read(arguments("path", "within")).get("lines").intValue()).isEqualTo(2);
    assertThat(texts(files.list(arguments()).get("entries")))
        .containsExactlyInAnyOrder("sub/", "b.txt", "within");
    assertThat(texts(files.list(arguments().put("depth", 2)).get("entries")))
        .containsExactlyInAnyOrder("sub/", "sub/a.txt", "b.txt", "within");
    assertThat(paths(files.search(arguments("text", "two"))))
        .containsExactlyInAnyOrder("b.txt", "sub/a.txt");
    assertThat(paths(files.search(arguments("text", "two").put("path", "sub/a.txt"))))
        .containsExactly("sub/a.txt");
    assertThat(files.list(arguments()).get("truncated").booleanValue()).isFalse();
  }

  @Test
  void nobodyElseReadsAFileWhileItIsWrittenWhoMayNotReadItAfterwards() throws Exception {
    Path secret = Files.writeString(folder.resolve(".env"), "KEY=1");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Set<String> modes = ConcurrentHashMap.newKeySet();
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Void> looks =
        CompletableFuture.runAsync(
            () -> {
              while (!ended.get()) {
                modes.addAll(modes());
              }
            });

    for (int i = 0; i < WRITES; i++) {
      String content = "KEY=" + i + "x".repeat(200_000);
      FolderFiles.Change change = files.change(arguments("path", ".env").put("content", content));
      files.write(change);
    }
    ended.set(true);
    looks.join();

    assertThat(modes).containsExactly("rw-------");
  }

  /** Returns the modes of the files that are there, temporary ones among them. */
  private Set<String> modes() {
    Set<String> modes = new HashSet<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.filter(path -> !path.endsWith("sub")).toList()) {
        modes.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      }
    } catch (NoSuchFileException gone) {
      // It has its last name by now.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return modes;
  }

  @Test
  void noLinkLeadsOut() throws Exception {
    Files.createSymbolicLink(folder.resolve("out"), outside);
    Files.createSymbolicLink(folder.resolve("file"), outside.resolve("a.txt"));

    for (String path : List.of("out/a.txt", "file", "../outside/a.txt", "out")) {
      assertThatThrownBy(() -> files.read(arguments("path", path)))
          .as(path)
          .isInstanceOf(ToolFailure.class);
    }
    for (String path : List.of("out/new.txt", "file", "out")) {
      assertThatThrownBy(() -> files.change(arguments("path", path).put("content", "x")))
          .as(path)
          .isInstanceOf(ToolFailure.class);
    }
    assertThat(texts(files.list(arguments().put("depth", 9)).get("entries")))
        .containsExactlyInAnyOrder("sub/", "sub/a.txt", "out", "file");
    assertThat(paths(files.search(arguments("text", "two")))).containsExactly("sub/a.txt");
  }

  @Test
  void aChangeIsMadeWhereItWasShownOrNotAtAll() throws Exception {
    FolderFiles.Change known = files.change(arguments("path", "sub/a.txt").put("content", "x"));
    FolderFiles.Change fresh = files.change(arguments("path", "sub/new.txt").put("content", "x"));
    Files.move(folder.resolve("sub"), root.resolve("away"));
    Files.createSymbolicLink(folder.resolve("sub"), outside);

    assertThatThrownBy(() -> files.write(fresh))
        .isInstanceOf(ToolFailure.class)
        .hasMessageContaining("changed meanwhile");
    assertThatThrownBy(() -> files.write(known)).isInstanceOf(ToolFailure.class);
    assertThat(outside.toFile().list()).containsExactly("a.txt");
    assertThat(outside.resolve("a.txt")).hasContent("two secrets\n");
  }

  @Test
  void aChangeIsNotMadeWhereTheFolderItselfIsReplacedByALink() throws Exception {
    FolderFiles.Change fresh = files.change(arguments("path", "new.txt").put("content", "x"));
    Files.move(folder, root.resolve("away"));
    Files.createSymbolicLink(folder, outside);

    assertThatThrownBy(() -> files.write(fresh))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("the folder was replaced");
    assertThat(outside.toFile().list()).containsExactly("a.txt");
  }

  @Test
  void nothingIsReadOfAFolderThatReplacesTheFolderItself() throws Exception {
    Files.move(folder, root.resolve("away"));
    Files.move(outside, folder);

    List<Try> readings =
        List.of(
            () -> files.read(arguments("path", "a.txt")).toString(),
            () -> files.list(arguments()).toString(),
            () -> files.search(arguments("text", "two")).toString());
    for (Try reading : readings) {
      assertThatThrownBy(reading::run)
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("the folder was replaced");
    }
  }

  @Test
  void aFolderWithoutAKeyIsNotOpened() {
    assertThatThrownBy(() -> new RootFolder(folder, Optional.empty()).open(Path.of("")).close())
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("this platform can't open files");
  }

  /** A process's own memory is a file whose first byte nobody can read, not even root. */
  @Test
  void aSearchGoesOnAfterAFileThatCannotBeRead() throws Exception {
    long id = ProcessHandle.current().pid();
    Path process = Path.of("/proc/" + id + "/task/" + id);
    if (!Files.exists(process.resolve("mem"))) {
      System.out.println("Skipped: this system has no file that nobody can read.");
    }
    assumeTrue(Files.exists(process.resolve("mem")), "no file that nobody can read");
    FolderFiles own = new FolderFiles(RootFolder.of(process));

    assertThatThrownBy(() -> own.read(arguments("path", "mem"))).isInstanceOf(IOException.class);
    assertThat(paths(own.search(arguments("text", "x").put("path", "mem")))).isEmpty();
    assertThat(paths(own.search(arguments("text", "Pid:\t" + id)))).contains("status");
  }

  @Test
  void aChangeReplacesTheFileThatItWasPreparedForAndKeepsItsMode() throws Exception {
    Path file = folder.resolve("sub/a.txt");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
    var done = files.write(files.change(arguments("path", "sub/a.txt").put("content", "new")));

    assertThat(done.get("sha256").textValue()).startsWith("sha256:");
    assertThat(file).hasContent("new");
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rwxr-x---"));
    FolderFiles.Change late = files.change(arguments("path", "sub/a.txt").put("content", "later"));
    Files.writeString(file, "somebody else's");
    assertThatThrownBy(() -> files.write(late)).hasMessageContaining("changed meanwhile");
    assertThat(file).hasContent("somebody else's");
    assertThat(folder.resolve("sub").toFile().list()).containsExactly("a.txt");
  }

  @Test
  void whatIsWrittenIsShownAsAWhole() {
    assertThatThrownBy(
            () ->
                files.change(
                    arguments("path", "b.txt").put("content", "x".repeat((200 << 10) + 1))))
        .isInstanceOf(ToolFailure.class)
        .hasMessageContaining("at most 204800 bytes");
  }

  @Test
  @Timeout(180)
  void aFolderThatIsALinkNowAndThenLeadsNowhereElse() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    Thread swaps = new Thread(() -> swap(ended), "swaps");
    swaps.start();
    try {
      for (int i = 0; i < RACES; i++) {
        assertThat(tried(() -> files.read(arguments("path", "sub/a.txt")).toString()))
            .doesNotContain("secrets");
        assertThat(tried(() -> files.search(arguments("text", "two")).toString()))
            .doesNotContain("secrets");
        int number = i;
        tried(
            () ->
                files
                    .write(
                        files.change(arguments("path", "sub/new.txt").put("content", "n" + number)))
                    .toString());
      }
    } finally {
      ended.set(true);
      swaps.join();
    }
    assertThat(outside.toFile().list()).containsExactly("a.txt");
  }

  private interface Try {
    String run() throws IOException, ToolFailure;
  }

  private static String tried(Try what) {
    try {
      return what.run();
    } catch (IOException | ToolFailure refused) {
      return "";
    }
  }

  private void swap(AtomicBoolean ended) {
    try {
      while (!ended.get()) {
        Path sub = folder.resolve("sub");
        Path away = root.resolve("away");
        Files.move(sub, away, StandardCopyOption.ATOMIC_MOVE);
        Files.createSymbolicLink(sub, outside);
        Files.delete(sub);
        Files.move(away, sub, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static ObjectNode arguments() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static ObjectNode arguments(String name, String value) {
    return arguments().put(name, value);
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.textValue()));
    return texts;
  }

  private static List<String> paths(JsonNode answer) {
    List<String> paths = new ArrayList<>();
    answer.get("hits").forEach(hit -> paths.add(hit.get("path").textValue()));
    return paths;
  }
}
