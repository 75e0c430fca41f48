package dev.bridle.core.work.workspace;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.CoreFixture;
import org.junit.jupiter.api.Test;

class StoredFilesTest extends WorkspaceFilesContract {
  StoredFilesTest() {
    super(new CoreFixture(), "anything");
  }

  @Override
  void fill(int files) {
    for (int i = 0; i < files; i++) {
      write("f" + i, "");
    }
  }

  @Test
  void nothingIsLeftOfTheContentThatAWriteReplaces() {
    write("a", "x".repeat(200_000));
    write("a", "short");
    assertThat(core.chunks()).isOne();
  }

  @Test
  void noWorkspaceGetsAFolderOnAServerThatHasNone() {
    assertRefused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION, "root", () -> newWorkspace("folder:notes"));
  }
}
