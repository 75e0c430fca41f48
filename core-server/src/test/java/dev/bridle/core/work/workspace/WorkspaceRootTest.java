package dev.bridle.core.work.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.core.CoreFixture;
import dev.bridle.storage.layer.Installation;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceRootTest {
  private static final String OURS = "installation_ours";

  @RegisterExtension final CoreFixture core = new CoreFixture();
  @TempDir Path directory;

  @Test
  void theSameFolderOpensAgainAlsoByAnotherName() throws IOException {
    open(directory).close();
    Path link = Files.createSymbolicLink(directory.resolveSibling("link-to-root"), directory);
    try {
      open(link).close();
    } finally {
      Files.delete(link);
    }
    assertThat(directory.resolve(WorkspaceRoot.MARK)).content().startsWith(OURS + " ");
  }

  @Test
  void whatIsNoFolderIsRefused() throws IOException {
    refused(directory.resolve("absent"), "create the folder first");
    refused(Files.createFile(directory.resolve("file")), "is not a folder");
  }

  @Test
  void aFolderThatCannotBeWalkedSafelyIsRefused() throws IOException {
    URI zip = URI.create("jar:" + directory.resolve("some.zip").toUri());
    try (FileSystem inside = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      refused(inside.getPath("/"), "start without --workspace-root");
    }
  }

  @Test
  void anInstallationHasOneRoot() throws IOException {
    Path first = Files.createDirectory(directory.resolve("first"));
    Path second = Files.createDirectory(directory.resolve("second"));
    open(first).close();
    refused(second, "is another folder");
    assertThat(second).isEmptyDirectory();

    // What the message asks for, where the folder is to take the place of the other.
    Files.copy(first.resolve(WorkspaceRoot.MARK), second.resolve(WorkspaceRoot.MARK));
    open(second).close();
  }

  @Test
  void aFolderHasOneInstallation() throws IOException {
    Files.writeString(directory.resolve(WorkspaceRoot.MARK), "installation_theirs 1\n");
    refused(directory, "belongs to another installation");
    Files.delete(directory.resolve(WorkspaceRoot.MARK));
    open(directory).close();
  }

  @Test
  void aRootThatLostItsMarkSaysHowToGoOn() throws IOException {
    open(directory).close();
    Path mark = directory.resolve(WorkspaceRoot.MARK);
    String held = Files.readString(mark).strip();
    Files.delete(mark);
    refused(directory, "set the content of its file " + WorkspaceRoot.MARK + " to: " + held);
  }

  private WorkspaceRoot open(Path folder) {
    return WorkspaceRoot.open(folder, core.store(), new Installation(core.layout), OURS);
  }

  private void refused(Path folder, String why) {
    assertThatThrownBy(() -> open(folder))
        .isInstanceOf(WorkspaceRootException.class)
        .hasMessageContaining(why);
  }
}
