package dev.bridle.storage.fdb;

import java.nio.file.Path;

/** A process that tries twice to open a store on a cluster, and prints why it can't. */
final class ClusterPath {
  private ClusterPath() {}

  public static void main(String[] arguments) {
    for (int i = 0; i < 2; i++) {
      try {
        FdbStore.open(FdbOptions.of(Path.of(arguments[0]))).close();
      } catch (FdbUnavailableException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
