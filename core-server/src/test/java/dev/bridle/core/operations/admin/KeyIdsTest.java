package dev.bridle.core.operations.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc.OAuthAdminServiceBlockingStub;
import dev.bridle.admin.v1.RotateSigningKeyRequest;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeyIdsTest {
  @TempDir private Path directory;

  /** One in 64 would, and a command would take it for an option. */
  @Test
  void noKeysIdBeginsWithAHyphen() {
    try (TestCore core = TestCore.start(directory, TaskOptions.DEFAULT)) {
      OAuthAdminServiceBlockingStub admin = OAuthAdminServiceGrpc.newBlockingStub(core.operator());

      assertThat(
              Stream.generate(
                      () ->
                          admin
                              .rotateSigningKey(RotateSigningKeyRequest.getDefaultInstance())
                              .getKey()
                              .getId())
                  .limit(300))
          .noneMatch(id -> id.startsWith("-"));
    }
  }
}
