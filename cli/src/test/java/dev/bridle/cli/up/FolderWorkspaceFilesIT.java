package dev.bridle.cli.up;

import dev.bridle.fixtures.suite.ServerUnderTest;
import dev.bridle.fixtures.suite.WorkspaceFiles;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The protocol's story of files, of workspaces whose files lie in folders. */
@Tag("slow")
final class FolderWorkspaceFilesIT extends WorkspaceFiles {

  @RegisterExtension static final RunningServer SERVER = RunningServer.withWorkspaceRoot();

  @Override
  protected ServerUnderTest server() {
    return SERVER.description();
  }

  @Override
  protected String root() {
    return "folder:" + UUID.randomUUID();
  }
}
