package dev.bridle.storage.fdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the coordinators' addresses from a cluster file. */
final class Coordinators {
  private Coordinators() {}

  static String of(Path clusterFile) {
    try {
      return Files.readAllLines(clusterFile).stream()
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .map(line -> line.substring(line.indexOf('@') + 1))
          .findFirst()
          .orElse("no address at all");
    } catch (IOException e) {
      return "an unreadable address";
    }
  }
}
