package dev.bridle.cli.golden;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.fixtures.client.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A stopped data directory as a file of the test resources, with notes of what was read from it.
 * Its keys and secrets open nothing but itself.
 */
final class GoldenArchive {
  private static final String NOTES = "notes.json";

  private GoldenArchive() {}

  /** Packs what a server needs; not what is of one machine or one process. */
  static void pack(Path directory, JsonNode notes, Path archive) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive));
        Stream<Path> files = Files.walk(directory)) {
      put(zip, NOTES, notes.toString().getBytes(StandardCharsets.UTF_8));
      List<Path> sorted = files.filter(Files::isRegularFile).sorted().toList();
      for (Path file : sorted) {
        String name = directory.relativize(file).toString();
        if (!name.matches("(native/.*|store\\.lock|rocksdb/(LOG.*|LOCK))")) {
          put(zip, "data/" + name, Files.readAllBytes(file));
        }
      }
    }
  }

  /** Unpacks the data into a directory and returns the notes. */
  static JsonNode unpack(InputStream archive, Path directory) throws IOException {
    JsonNode notes = Json.object();
    try (ZipInputStream zip = new ZipInputStream(archive)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        zip.transferTo(bytes);
        if (entry.getName().equals(NOTES)) {
          notes = Json.parse(bytes.toString(StandardCharsets.UTF_8));
        } else {
          Path file = directory.resolve(entry.getName().substring("data/".length()));
          Files.createDirectories(file.getParent());
          Files.write(file, bytes.toByteArray());
        }
      }
    }
    return notes;
  }

  private static void put(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(0);
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }
}
