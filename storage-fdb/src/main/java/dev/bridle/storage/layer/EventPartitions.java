package dev.bridle.storage.layer;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Maps streams to partitions of the feed. Stored data depends on it, so it never changes. */
final class EventPartitions {
  private EventPartitions() {}

  static int of(String stream, int partitions) {
    CRC32C crc = new CRC32C();
    crc.update(stream.getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() % partitions);
  }
}
