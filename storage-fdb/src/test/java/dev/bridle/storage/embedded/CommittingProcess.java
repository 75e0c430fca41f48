package dev.bridle.storage.embedded;

import dev.bridle.storage.StoreException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A process that commits ever higher numbers on several threads and tells each one on stdout, as
 * {@code thread number}, once it is acknowledged. Arguments: directory, threads, bytes of each
 * value. A failed commit is told as {@code failed CODE}, and ends it.
 */
final class CommittingProcess {
  private CommittingProcess() {}

  public static void main(String[] arguments) throws InterruptedException {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
    int threads = Integer.parseInt(arguments[1]);
    int valueBytes = Integer.parseInt(arguments[2]);
    EmbeddedOptions options =
        new EmbeddedOptions(1 << 20, 64 << 20, 64, 1 << 20, 16 << 20, 10, 0, false);
    EmbeddedStore store = EmbeddedStore.open(Path.of(arguments[0]), options);
    Thread[] committing = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      int thread = i;
      committing[i] = new Thread(() -> commit(store, thread, valueBytes, out));
      committing[i].start();
    }
    for (Thread thread : committing) {
      thread.join();
    }
  }

  /** Returns the key that a thread stores its last number under. */
  static byte[] lastOf(int thread) {
    return TestStore.bytes("last/" + thread);
  }

  private static void commit(EmbeddedStore store, int thread, int valueBytes, PrintStream out) {
    long number =
        store.read(tr -> tr.get(lastOf(thread))).map(b -> ByteBuffer.wrap(b).getLong()).orElse(0L);
    try {
      while (true) {
        long next = ++number;
        byte[] value = ByteBuffer.allocate(valueBytes).putLong(next).array();
        store.transact(
            tr -> {
              tr.set(lastOf(thread), value);
              tr.set(TestStore.bytes("all/" + thread + "/" + next), value);
              return null;
            });
        out.println(thread + " " + next);
      }
    } catch (StoreException e) {
      out.println("failed " + e.code());
    }
  }
}
