package dev.bridle.core.work.workspace;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.CoreFixture;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.ReadWorkspaceFileRequest;
import dev.bridle.workspace.v1.ReadWorkspaceFileResponse;
import dev.bridle.workspace.v1.WorkspaceFile;
import dev.bridle.workspace.v1.WorkspaceFileEntry;
import dev.bridle.workspace.v1.WorkspaceFileListing;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc.WorkspaceServiceBlockingStub;
import dev.bridle.workspace.v1.WriteWorkspaceFileRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds of files of workspaces, wherever they lie. */
abstract class WorkspaceFilesContract {
  @RegisterExtension final CoreFixture core;

  private final String root;
  private WorkspaceServiceBlockingStub workspaces;
  private String workspace;

  /** The contract of files in a workspace of that root. */
  WorkspaceFilesContract(CoreFixture core, String root) {
    this.core = core;
    this.root = root;
  }

  @BeforeEach
  final void aWorkspace() {
    workspaces = WorkspaceServiceGrpc.newBlockingStub(core.owner());
    workspace = newWorkspace(root);
  }

  /** Makes a workspace of a root. */
  final String newWorkspace(String of) {
    return workspaces
        .createWorkspace(CreateWorkspaceRequest.newBuilder().setName("one").setRoot(of).build())
        .getId();
  }

  /** Puts so many empty files into the root, however is fastest. */
  abstract void fill(int files);

  @Test
  void aFileIsReadAsItWasWritten() {
    WorkspaceFile written = write("notes/één.md", "one fish\n");
    assertThat(written.hasContent()).isFalse();
    assertThat(written.getBytes()).isEqualTo(9);
    assertThat(written.getPath()).isEqualTo("notes/één.md");

    WorkspaceFile read = read("./notes/één.md").getFile();
    assertThat(read).isEqualTo(written.toBuilder().setContent("one fish\n").build());
    assertThat(write("empty", "").getBytes()).isZero();
    assertThat(read("empty").getFile().hasContent()).isTrue();
    String large = "é".repeat(512 * 1024);
    write("large", large);
    assertThat(read("large").getFile().getContent()).isEqualTo(large);
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "content", () -> write("larger", large + "x"));
  }

  @Test
  void aWriteReplacesTheWholeFile() {
    write("a", "x".repeat(200_000));
    write("a", "short");

    assertThat(read("a").getFile().getContent()).isEqualTo("short");
    assertThat(read("").getListing().getEntriesList()).hasSize(1);
  }

  @Test
  void aDirectoryListsWhatLiesInItAndNothingDeeper() {
    for (String path :
        List.of("b.txt", "a/one", "a/two/three", "a/two/four", "a-b/c", "a.txt", "a0", "é")) {
      write(path, path);
    }

    assertThat(names(read(""))).containsExactly("a/", "a-b/", "a.txt", "a0", "b.txt", "é");
    assertThat(names(read("a"))).containsExactly("one", "two/");
    WorkspaceFileListing deeper = read("a/two").getListing();
    assertThat(deeper.getPath()).isEqualTo("a/two");
    assertThat(deeper.getEntries(0))
        .isEqualTo(
            deeper.getEntries(0).toBuilder()
                .setName("four")
                .setPath("a/two/four")
                .setSize(10)
                .build());
    assertThat(read(".").getListing().getPath()).isEqualTo(".");
  }

  @Test
  void aDirectoryOfManyIsListedWhole() {
    List<String> expected = new ArrayList<>();
    for (int i = 100; i < 350; i++) {
      write("many/f" + i, "x");
      expected.add("f" + i);
    }
    write("many/f200.d/deep/er", "x");
    expected.add(101, "f200.d/");

    assertThat(names(read("many"))).containsExactlyElementsOf(expected);
  }

  @Test
  void anEmptyWorkspaceHasAnEmptyRootAndNothingElse() {
    assertThat(read("").getListing().getEntriesList()).isEmpty();
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "path", () -> read("a"));
    write("ab/c", "x");
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "path", () -> read("a"));
  }

  @Test
  void aNameIsAFilesOrADirectorys() {
    write("a/b", "x");
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "path", () -> write("a", "x"));
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "path", () -> write("a/b/c/d", "x"));
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "path", () -> write(".", "x"));
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "path", () -> write("../a", "x"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/etc/passwd",
        "..",
        "../default/one",
        "a/../../b",
        "a//b",
        "a/",
        "a\\..\\b",
        "a\u0000b",
        "C:/a"
      })
  void noPathLeadsOut(String path) {
    write("a/b", "x");
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "path", () -> read(path));
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "path", () -> write(path, "x"));
    assertThat(names(read(""))).containsExactly("a/");
  }

  @Test
  void pathsAreBounded() {
    String deepest = "d/".repeat(31) + "f";
    String longest = "x".repeat(255);
    write(deepest, "deep");
    write(longest, "long");
    assertThat(read(deepest).getFile().getContent()).isEqualTo("deep");
    assertThat(read(longest).getFile().getContent()).isEqualTo("long");
    for (String path :
        List.of("d/" + deepest, longest + "x", String.join("/", Collections.nCopies(5, longest)))) {
      assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "path", () -> write(path, "x"));
      assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "path", () -> read(path));
    }
  }

  @Test
  void eachWorkspaceHasFilesOfItsOwnAndWhoDoesNotReachItSeesNone() {
    write("a", "mine");
    String other = newWorkspace(root + "-other");
    assertThat(
            workspaces
                .readWorkspaceFile(
                    ReadWorkspaceFileRequest.newBuilder().setWorkspaceId(other).build())
                .getListing()
                .getEntriesList())
        .isEmpty();
    for (var channel : List.of(core.of(CoreFixture.TENANT, other), core.of("another"))) {
      WorkspaceServiceBlockingStub stranger = WorkspaceServiceGrpc.newBlockingStub(channel);
      assertRefused(
          ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
          "",
          () -> stranger.readWorkspaceFile(asked("a")));
      assertRefused(
          ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
          "",
          () -> stranger.writeWorkspaceFile(described("a", "theirs").build()));
    }
    assertThat(read("a").getFile().getContent()).isEqualTo("mine");
  }

  @Test
  void aWriteIsToldWithoutItsContent() {
    workspaces.writeWorkspaceFile(
        described("a/b", "the content")
            .setMetadata(ByteString.copyFromUtf8("{\"by\":\"me\"}"))
            .build());

    EventRecord told = core.lastEvent(workspace);
    assertThat(told.getEvent()).isEqualTo("vendor.bridle.workspace_file_written");
    assertThat(told.getPayload().toStringUtf8())
        .startsWith("{\"path\":\"a/b\",\"size\":11,\"sha256\":\"")
        .endsWith(",\"metadata\":{\"by\":\"me\"}}")
        .doesNotContain("content");
  }

  @Test
  void aWorkspaceIsBounded() {
    fill(2000);
    assertThat(read("").getListing().getEntriesList()).hasSize(2000);
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> write("one-more", ""));
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> write("some/where/else", ""));
    assertThat(write("f7", "x").getBytes()).isOne();
  }

  static List<String> names(ReadWorkspaceFileResponse response) {
    assertThat(response.hasListing()).isTrue();
    return response.getListing().getEntriesList().stream()
        .map(WorkspaceFilesContract::named)
        .toList();
  }

  private static String named(WorkspaceFileEntry entry) {
    boolean directory = entry.getKind().name().endsWith("DIRECTORY");
    return entry.getName() + (directory ? "/" : "");
  }

  final WorkspaceFile write(String path, String content) {
    return workspaces.writeWorkspaceFile(described(path, content).build());
  }

  private WriteWorkspaceFileRequest.Builder described(String path, String content) {
    return WriteWorkspaceFileRequest.newBuilder()
        .setWorkspaceId(workspace)
        .setPath(path)
        .setContent(content);
  }

  final ReadWorkspaceFileResponse read(String path) {
    return workspaces.readWorkspaceFile(asked(path));
  }

  private ReadWorkspaceFileRequest asked(String path) {
    return ReadWorkspaceFileRequest.newBuilder().setWorkspaceId(workspace).setPath(path).build();
  }
}
