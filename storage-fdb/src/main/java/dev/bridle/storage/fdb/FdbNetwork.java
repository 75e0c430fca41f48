package dev.bridle.storage.fdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDB;
import com.apple.foundationdb.FDBException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Manages FoundationDB's client in this process. Its network thread starts with the first store and
 * stops with the process, since it can't be started twice.
 */
final class FdbNetwork {
  /** The newest version that both the 7.3 and the 7.4 client libraries speak. */
  static final int API_VERSION = 730;

  private static final long CLOSE_PATIENCE_MILLIS = 10_000;
  private static final AtomicInteger THREADS = new AtomicInteger();

  /** The executor on which the client's futures complete; dependent stages may block. */
  private static final ExecutorService EXECUTOR =
      Executors.newCachedThreadPool(
          work -> daemon(work, "bridle-fdb-" + THREADS.incrementAndGet()));

  private static boolean started;
  private static int stores;

  private FdbNetwork() {}

  static ExecutorService executor() {
    return EXECUTOR;
  }

  /**
   * Opens the database of a cluster file; {@link #released} is called when it has been closed.
   *
   * @throws FdbUnavailableException when the client library or the cluster file can't be used
   */
  static synchronized Database open(Path clusterFile) {
    MissingLibrary.checkNamed();
    try {
      FDB fdb = FDB.selectAPIVersion(API_VERSION);
      if (!started) {
        // The client's own hook would abort commits of a server that is shutting down.
        fdb.disableShutdownHook();
        fdb.startNetwork(work -> daemon(work, "bridle-fdb-network").start());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(fdb), "bridle-fdb-stop"));
        started = true;
      }
      Database database = fdb.open(clusterFile.toString(), EXECUTOR);
      stores++;
      return database;
    } catch (LinkageError e) {
      throw new FdbUnavailableException(MissingLibrary.sentence(e), e);
    } catch (FDBException e) {
      throw new FdbUnavailableException(refusal(clusterFile, e), e);
    }
  }

  static synchronized void released() {
    stores--;
    FdbNetwork.class.notifyAll();
  }

  private static synchronized void stop(FDB fdb) {
    long deadline = System.currentTimeMillis() + CLOSE_PATIENCE_MILLIS;
    try {
      for (long left = CLOSE_PATIENCE_MILLIS; stores > 0 && left > 0; ) {
        FdbNetwork.class.wait(left);
        left = deadline - System.currentTimeMillis();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    fdb.stopNetwork();
  }

  private static String refusal(Path clusterFile, FDBException failure) {
    return switch (failure.getCode()) {
      case 2203 ->
          "FoundationDB's client library is older than 7.3 (it refuses API version "
              + API_VERSION
              + "); install the package foundationdb-clients 7.3 or 7.4.";
      case 1515 -> "There is no FoundationDB cluster file " + clusterFile + ".";
      case 2104 -> "The FoundationDB cluster file " + clusterFile + " is malformed.";
      default ->
          "FoundationDB's client can't use the cluster file "
              + clusterFile
              + ": "
              + failure.getMessage()
              + " (error "
              + failure.getCode()
              + ").";
    };
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }
}
