package dev.bridle.storage.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Words that the engine's tests share. */
final class TestStore {
  private TestStore() {}

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static void put(KeyValueStore store, String key, String value) {
    store.transact(tr -> put(tr, key, value));
  }

  static Transaction put(Transaction tr, String key, String value) {
    tr.set(bytes(key), bytes(value));
    return tr;
  }

  static Optional<String> get(KeyValueStore store, String key) {
    return store.read(tr -> tr.get(bytes(key))).map(value -> new String(value, UTF_8));
  }

  static long version(KeyValueStore store) {
    return store.read(tr -> tr.readVersion());
  }

  static StoreException.Code failureOf(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(StoreException.class);
    return ((StoreException) thrown).code();
  }

  static OpenRefusedException refusalOf(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(OpenRefusedException.class);
    return (OpenRefusedException) thrown;
  }

  /** Copies the files of an open store as a killed process would leave them. */
  static Path copyAsAfterACrash(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
    return to;
  }

  /** Returns the log file that the last commits lie in. */
  static Path newestLog(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .max(Path::compareTo)
          .orElseThrow();
    }
  }
}
