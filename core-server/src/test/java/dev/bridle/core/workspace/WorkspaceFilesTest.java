package dev.bridle.core.workspace;

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
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WorkspaceFilesTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  private WorkspaceServiceBlockingStub workspaces;

  @BeforeEach
  void aWorkspace() {
    workspaces = WorkspaceServiceGrpc.newBlockingStub(core.owner());
  }

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
  void aWriteReplacesTheWholeFileAndItsContent() {
    write("a", "x".repeat(200_000));
    write("a", "short");

    assertThat(read("a").getFile().getContent()).isEqualTo("short");
    assertThat(core.chunks()).as("nothing is left of what was there").isOne();
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
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "path", () -> read("/etc/passwd"));
  }

  @Test
  void eachWorkspaceHasFilesOfItsOwnAndWhoDoesNotReachItSeesNone() {
    write("a", "mine");
    String other =
        workspaces
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder().setName("other").setRoot("other").build())
            .getId();
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

    EventRecord told = core.lastEvent(CoreFixture.WORKSPACE);
    assertThat(told.getEvent()).isEqualTo("vendor.bridle.workspace_file_written");
    assertThat(told.getPayload().toStringUtf8())
        .startsWith("{\"path\":\"a/b\",\"size\":11,\"sha256\":\"")
        .endsWith(",\"metadata\":{\"by\":\"me\"}}")
        .doesNotContain("content");
  }

  @Test
  void aWorkspaceIsBounded() {
    for (int i = 0; i < 2000; i++) {
      write("f" + i, "");
    }
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> write("one-more", ""));
    assertThat(write("f7", "x").getBytes()).isOne();
  }

  private static List<String> names(ReadWorkspaceFileResponse response) {
    assertThat(response.hasListing()).isTrue();
    return response.getListing().getEntriesList().stream().map(WorkspaceFilesTest::named).toList();
  }

  private static String named(WorkspaceFileEntry entry) {
    boolean directory = entry.getKind().name().endsWith("DIRECTORY");
    return entry.getName() + (directory ? "/" : "");
  }

  private WorkspaceFile write(String path, String content) {
    return workspaces.writeWorkspaceFile(described(path, content).build());
  }

  private static WriteWorkspaceFileRequest.Builder described(String path, String content) {
    return WriteWorkspaceFileRequest.newBuilder()
        .setWorkspaceId(CoreFixture.WORKSPACE)
        .setPath(path)
        .setContent(content);
  }

  private ReadWorkspaceFileResponse read(String path) {
    return workspaces.readWorkspaceFile(asked(path));
  }

  private static ReadWorkspaceFileRequest asked(String path) {
    return ReadWorkspaceFileRequest.newBuilder()
        .setWorkspaceId(CoreFixture.WORKSPACE)
        .setPath(path)
        .build();
  }
}
