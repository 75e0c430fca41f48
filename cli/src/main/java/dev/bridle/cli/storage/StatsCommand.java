package dev.bridle.cli.storage;

import dev.bridle.admin.v1.GetStorageStatsRequest;
import dev.bridle.admin.v1.GetStorageStatsResponse;
import dev.bridle.admin.v1.SubspaceSize;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.Listing;
import dev.bridle.core.operations.check.StorageReports;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows how much is stored. */
@Command(
    name = "stats",
    description = {
      "Show keys and bytes of each tenant and subspace, and the directory's size on disk.",
      "Sizes are those of keys and values, before compression."
    },
    footer = {"%nExample:", "  bridle storage stats --json"})
final class StatsCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private StorageChoice storage;

  @Override
  public void run() {
    GetStorageStatsResponse stats =
        storage
            .access()
            .with(
                service -> service.getStorageStats(GetStorageStatsRequest.getDefaultInstance()),
                StorageReports::stats);
    long onDisk = onDisk(storage.dataDir());
    PrintWriter out = spec.commandLine().getOut();
    long keys = 0;
    long bytes = 0;
    try (Listing list = new Listing(out, storage.json(), "TENANT", "SUBSPACE", "KEYS", "BYTES")) {
      for (SubspaceSize size : stats.getSubspacesList()) {
        keys += size.getKeys();
        bytes += size.getBytes();
        list.add(storage.json() ? json(size) : text(size), cells(size));
      }
    }
    out.println(
        storage.json()
            ? JsonLines.object()
                .put("type", "total")
                .put("keys", keys)
                .put("bytes", bytes)
                .put("disk_bytes", onDisk)
                .toString()
            : String.format(
                Locale.ROOT,
                "%,d keys, %,d bytes; %,d bytes on disk in %s",
                keys,
                bytes,
                onDisk,
                storage.dataDir()));
  }

  private static String json(SubspaceSize size) {
    return JsonLines.object()
        .put("type", "subspace")
        .put("tenant_id", size.getTenantId())
        .put("subspace", size.getSubspace())
        .put("keys", size.getKeys())
        .put("bytes", size.getBytes())
        .toString();
  }

  private static String[] cells(SubspaceSize size) {
    return new String[] {
      size.getTenantId().isEmpty() ? "-" : size.getTenantId(),
      size.getSubspace(),
      String.format(Locale.ROOT, "%,14d", size.getKeys()),
      String.format(Locale.ROOT, "%,18d", size.getBytes())
    };
  }

  private static String text(SubspaceSize size) {
    String tenant = size.getTenantId().isEmpty() ? "-" : size.getTenantId();
    return String.format(
        Locale.ROOT,
        "%-20s %-14s %,14d keys %,18d bytes",
        tenant,
        size.getSubspace(),
        size.getKeys(),
        size.getBytes());
  }

  /** A running server creates and deletes files: a file that has disappeared counts as 0 bytes. */
  private static long onDisk(Path directory) {
    long[] bytes = new long[1];
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              bytes[0] += attributes.size();
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
              return FileVisitResult.CONTINUE;
            }
          });
      return bytes[0];
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
