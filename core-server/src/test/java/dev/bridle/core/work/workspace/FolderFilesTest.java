package dev.bridle.core.work.workspace;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.CoreFixture;
import dev.bridle.folder.OpenFolder;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.ReadWorkspaceFileRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FolderFilesTest extends WorkspaceFilesContract {
  @TempDir Path outside;

  FolderFilesTest() {
    super(CoreFixture.withWorkspaceRoot(), "folder:notes");
  }

  @BeforeEach
  void aSecretOutside() throws IOException {
    Files.writeString(outside.resolve("secret"), "outside");
  }

  @Override
  void fill(int files) {
    try {
      Files.createDirectories(folder());
      for (int i = 0; i < files; i++) {
        Files.createFile(folder().resolve("f" + i));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void filesLieInTheFolderOfTheirTenantAndWorkspace() throws IOException {
    write("a/b.txt", "one fish");
    assertThat(core.workspaceRoot().resolve("default/notes/a/b.txt")).hasContent("one fish");
    assertThat(core.chunks()).isZero();
    assertThat(names(core.workspaceRoot()))
        .containsExactlyInAnyOrder(WorkspaceRoot.MARK, "default");
    assertThat(names(folder().resolve("a"))).containsExactly("b.txt");
  }

  @Test
  void whatOthersPutThereIsReadAndListed() throws IOException {
    Files.createDirectories(folder().resolve("empty"));
    Files.writeString(folder().resolve("b"), "two fish");
    assertThat(names(read(""))).containsExactly("b", "empty/");
    assertThat(names(read("empty"))).isEmpty();
    assertThat(read("b").getFile().getContent()).isEqualTo("two fish");
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "path", () -> write("empty", "x"));
  }

  @Test
  void whatIsTooLongOrNoTextIsNotRead() throws IOException {
    Files.createDirectories(folder());
    Files.write(folder().resolve("long"), new byte[(1 << 20) + 1]);
    Files.write(folder().resolve("binary"), new byte[] {(byte) 0xff, 0});
    assertRefused(ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, "path", () -> read("long"));
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "path", () -> read("binary"));
    assertThat(write("long", "short").getBytes()).isEqualTo(5);
    assertThat(read("long").getFile().getContent()).isEqualTo("short");
  }

  @Test
  void aDirectoryOfTooManyIsNotListedAndTakesNoMore() {
    fill(2001);
    assertRefused(ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, "path", () -> read(""));
    assertThat(read("f2000").getFile().getBytes()).isZero();
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> write("more", ""));
  }

  @Test
  void theBytesOfAllFilesAreBounded() throws IOException {
    Files.createDirectories(folder());
    try (var sparse =
        Files.newByteChannel(
            folder().resolve("sparse"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      sparse.position((256L << 20) - 4);
      sparse.write(ByteBuffer.wrap(new byte[1]));
    }
    assertThat(write("fits", "xyz").getBytes()).isEqualTo(3);
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> write("fits", "wxyz"));
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> write("more", "x"));
    assertThat(read("fits").getFile().getContent()).isEqualTo("xyz");
  }

  @Test
  void noLinkIsFollowedThatStandsForAFile() throws IOException {
    Files.createDirectories(folder());
    Files.createSymbolicLink(folder().resolve("link"), outside.resolve("secret"));
    Files.createSymbolicLink(folder().resolve("dangling"), outside.resolve("made"));
    Files.writeString(folder().resolve("own"), "own");
    Files.createSymbolicLink(folder().resolve("within"), Path.of("own"));
    for (String link : List.of("link", "dangling", "within")) {
      refused(link);
    }
    assertThat(names(read(""))).containsExactly("own");
    untouched();
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "default/notes", "default/notes/a", "default/notes/a/b"})
  void noLinkIsFollowedThatStandsForAFolder(String link) throws IOException {
    Path at = core.workspaceRoot().resolve(link);
    Files.createDirectories(at.getParent());
    Files.createDirectories(outside.resolve("notes/a/b"));
    Files.createSymbolicLink(at, outside);
    refused("a/b/secret");
    refused("a/b/notes/a/b/new");
    assertThat(names(outside.resolve("notes/a/b"))).isEmpty();
    untouched();
  }

  @Test
  @Timeout(180)
  void whatIsNoFileIsNeitherOpenedNorListed() throws Exception {
    Files.createDirectories(folder());
    Process made =
        new ProcessBuilder("mkfifo", folder().resolve("pipe").toString()).inheritIO().start();
    assertThat(made.waitFor()).isZero();
    // The name of a socket is short; it keeps its kind when it is moved.
    Path socket = Files.createTempDirectory("s").resolve("s");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      Files.move(socket, folder().resolve("socket"));
    }
    Files.delete(socket.getParent());
    for (String special : List.of("pipe", "socket", "pipe/inner", "socket/inner")) {
      refused(special);
    }
    assertThat(names(read(""))).isEmpty();
  }

  @Test
  void aDeviceIsNoFile() throws IOException {
    // Only root makes devices; those that are there do as well.
    try (OpenFolder devices = OpenFolder.at(Path.of("/dev")).orElseThrow()) {
      assertThat(devices.look("zero"))
          .hasValueSatisfying(is -> assertThat(FolderFiles.isPlain(is)).isFalse());
    }
  }

  @Test
  void namesThatNoPathSpellsAreLeftOut() throws Exception {
    Files.createDirectories(folder());
    // Java can't make a name of bytes that are no text.
    Process made =
        new ProcessBuilder("sh", "-c", "touch \"$(printf 'a\\377')\"")
            .directory(folder().toFile())
            .inheritIO()
            .start();
    assertThat(made.waitFor()).isZero();
    for (String name : List.of("a\\b", "a\nb", "e\u0301", "fine")) {
      Files.createFile(folder().resolve(name));
    }
    assertThat(names(folder())).hasSize(5);
    assertThat(names(read(""))).containsExactly("fine");
  }

  @Test
  void whatACrashLeavesBehindIsNoFile() throws IOException {
    Files.createDirectories(folder());
    String left = OpenFolder.TEMPORARY + "1";
    Files.writeString(folder().resolve(left), "half");
    Files.createDirectory(core.workspaceRoot().resolve(left));
    assertThat(names(read(""))).isEmpty();
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "path", () -> read(left));
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "path", () -> write(left, "x"));
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "path", () -> write(left + "/a", "x"));
    assertThat(write("a", "x").getBytes()).isOne();
  }

  @Test
  void aWriteReplacesTheNameAndNotWhatHasOtherNamesToo() throws IOException {
    Files.createDirectories(folder());
    Files.createLink(folder().resolve("same"), outside.resolve("secret"));
    write("same", "inside");
    assertThat(read("same").getFile().getContent()).isEqualTo("inside");
    untouched();
  }

  @Test
  void aProgramStaysOne() throws IOException {
    write("run", "#!/bin/sh");
    Path file = folder().resolve("run");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
    write("run", "#!/bin/sh\nls");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rwxr-x---");
  }

  @Test
  void aWriteThatIsRefusedLeavesNothing() throws IOException {
    write("a", "x");
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "path", () -> write("a/b/c", "x"));
    Files.createSymbolicLink(folder().resolve("link"), outside);
    refused("link/new/file");
    assertThat(names(folder())).containsExactlyInAnyOrder("a", "link");
    assertThat(names(core.workspaceRoot()))
        .containsExactlyInAnyOrder(WorkspaceRoot.MARK, "default");
  }

  @Test
  void tenantsHaveFoldersOfTheirOwn() {
    write("a", "ours");
    core.operatorMakesTenant("another");
    var theirs = WorkspaceServiceGrpc.newBlockingStub(core.of("another"));
    String id =
        theirs
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder().setName("x").setRoot("folder:notes").build())
            .getId();
    assertThat(
            theirs
                .readWorkspaceFile(ReadWorkspaceFileRequest.newBuilder().setWorkspaceId(id).build())
                .getListing()
                .getEntriesList())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "folder:",
        "folder:.",
        "folder:..",
        "folder:a/b",
        "folder:../a",
        "folder:/a",
        "folder:Notes",
        "folder:.hidden",
        "folder:a b",
        "folder:a\u0000",
        "folder:\u00e9",
        "folder:-a"
      })
  void aFolderHasAPlainName(String root) {
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "root", () -> newWorkspace(root));
  }

  @Test
  void theNameOfAFolderIsBounded() {
    assertThat(newWorkspace("folder:" + "a".repeat(64))).isNotEmpty();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "root",
        () -> newWorkspace("folder:" + "a".repeat(65)));
  }

  private void refused(String path) {
    assertRefused(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "path", () -> read(path));
    assertRefused(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "path", () -> write(path, "inside"));
  }

  private void untouched() {
    assertThat(outside.resolve("secret")).hasContent("outside");
    assertThat(outside.resolve("made")).doesNotExist();
  }

  private Path folder() {
    return core.workspaceRoot().resolve("default/notes");
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(entry -> entry.getFileName().toString()).toList();
    }
  }
}
