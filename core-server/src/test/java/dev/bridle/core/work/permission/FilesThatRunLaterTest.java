package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.core.work.workspace.MachineFolder;
import dev.bridle.permission.v1.OfferedGrant;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A grant for edits below a folder covers source files, and none that runs something later. */
class FilesThatRunLaterTest extends AskedTasks {
  private static final String ROOT = "/home/ada/project";
  private static final MachineFolder FOLDER = new MachineFolder(ROOT);

  static List<String> paths() throws IOException {
    try (InputStream list =
        FilesThatRunLaterTest.class.getResourceAsStream("files-that-run-later.txt")) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .toList();
    }
  }

  @Test
  void noneIsCoveredOrOfferedAnythingAtTheRootOrInAFolder() throws IOException {
    List<String> paths = paths();

    assertThat(paths).hasSizeGreaterThan(250);
    assertThat(paths).allSatisfy(path -> assertProtected(ROOT + "/" + path));
    assertThat(paths).allSatisfy(path -> assertProtected(ROOT + "/services/shop/" + path));
  }

  private static void assertProtected(String file) {
    PermissionAction edit =
        PermissionAction.newBuilder()
            .setKind("edit")
            .setContent(ByteString.copyFromUtf8("{}"))
            .addEditedFiles(file)
            .build();
    PermissionAction named =
        edit.toBuilder()
            .clearEditedFiles()
            .setContent(ByteString.copyFromUtf8("{\"path\":\"" + file + "\"}"))
            .build();

    assertThat(FolderEdits.areBelow(ROOT, edit, FOLDER)).as("%s, edited", file).isFalse();
    assertThat(FolderEdits.narrowest(edit, FOLDER)).isEmpty();
    assertThat(OfferedGrants.of(edit, true, Optional.of(ROOT), 0)).isEmpty();
    assertThat(OfferedGrants.of(named, true, Optional.of(ROOT), 0)).as("%s, named", file).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "src/main/java/App.java",
        "src/app.component.ts",
        "src/user.service.ts",
        "lib/index.js",
        "src/config.js",
        "README.md",
        "docs/approvals.md",
        "tests/test_app.py",
        "app/models/user.rb",
        "cmd/main.go",
        "src/main.rs",
        "include/a.h",
        "data/package.jsonl",
        "bin/report.txt",
        "web/index.html",
        "k8s/deployment.yaml",
        "main.tf",
        "src/env/a.py",
        "src/git/config.py",
      })
  void ordinaryFilesAreCoveredAndOffered(String path) {
    PermissionAction edit =
        PermissionAction.newBuilder()
            .setKind("edit")
            .setContent(ByteString.copyFromUtf8("{\"path\":\"" + ROOT + "/" + path + "\"}"))
            .addEditedFiles(ROOT + "/" + path)
            .build();

    assertThat(FolderEdits.areBelow(ROOT, edit, FOLDER)).isTrue();
    assertThat(OfferedGrants.of(edit, true, FolderEdits.narrowest(edit, FOLDER), 0))
        .extracting(OfferedGrant::getId)
        .contains("edits_below", "this_action");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "package.json",
        "src/Makefile",
        ".forgejo/workflows/build.yml",
        ".hg/hgrc",
        "src/CLAUDE.md",
        ".bash_aliases",
        ".config/systemd/user/x.service",
        "src/node_modules/.bin/eslint",
      })
  void aGrantForTheWholeFolderLetsEachOfThemBeAskedForByItself(String path) {
    session = folderSession();
    String asked = ask(edit(begin(), ROOT + "/App.java")).getRequestId();
    PermissionRequest granted =
        respond("ada", said(asked).setApproved(true).setGrant("edits_below"));
    var unused = next(granted.getTaskId());

    RequestPermissionResponse answer = ask(edit(begin(), ROOT + "/" + path));

    assertThat(answer.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    assertThat(read(answer.getRequestId()).getRequest().getOfferedGrantsList()).isEmpty();
    assertThat(ask(edit(begin(), ROOT + "/src/Other.java")).getGrantId())
        .isEqualTo(granted.getResponse().getGrantId());
  }

  private String folderSession() {
    return SessionServiceGrpc.newBlockingStub(core.owner())
        .createSession(
            CreateSessionRequest.newBuilder().setWorkspaceId(core.hostedFolder(ROOT)).build())
        .getId();
  }

  private static RequestPermissionRequest.Builder edit(TaskLease lease, String file) {
    RequestPermissionRequest.Builder wanted = wanted(lease, "edit", "x");
    wanted
        .getActionBuilder()
        .setKind("edit")
        .setContent(ByteString.copyFromUtf8("{}"))
        .addEditedFiles(file);
    return wanted;
  }
}
