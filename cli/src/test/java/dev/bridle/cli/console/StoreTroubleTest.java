package dev.bridle.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class StoreTroubleTest {
  private static final Path DATA = Path.of("data");

  private static StoreException failed(String cause) {
    return new StoreException(Code.STORE_FAILED, "A write failed.", new IOException(cause));
  }

  @Test
  void aStoreWithoutDescriptorsIsNotExplainedWithTheDisk() {
    StoreException failure =
        failed("While open a file for appending: data/000012.sst: Too many open files");

    assertThat(StoreTrouble.whileRunning(DATA, failure).getMessage())
        .contains("Too many open files", "no file descriptors left", "ulimit -n", "start again")
        .doesNotContain("disk");
    assertThat(StoreTrouble.atStart(DATA, failure).getMessage())
        .contains("no file descriptors left", "ulimit -n")
        .doesNotContain("space");
  }

  @Test
  void aStoreThatCantWriteIsExplainedWithTheDisk() {
    assertThat(StoreTrouble.whileRunning(DATA, failed("No space left on device")).getMessage())
        .contains("No space left on device", "Free some disk space")
        .doesNotContain("descriptors");
    assertThat(StoreTrouble.atStart(DATA, failed("No space left on device")).getMessage())
        .doesNotContain("descriptors");
  }
}
