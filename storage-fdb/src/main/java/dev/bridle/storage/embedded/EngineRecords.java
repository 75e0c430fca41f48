package dev.bridle.storage.embedded;

import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The engine's own records, under the prefix 0xFF, which transactions can't access (as on
 * FoundationDB).
 *
 * <pre>
 * 0xFF "format"  → 4-byte number of the format of this directory
 * 0xFF "version" → 8-byte version of the last batch, written in that batch
 * </pre>
 */
final class EngineRecords {
  /** Raised when the previous release can't open the directory. */
  static final int FORMAT = 1;

  static final byte RESERVED = (byte) 0xFF;

  private static final byte[] FORMAT_KEY = {RESERVED, 'f', 'o', 'r', 'm', 'a', 't'};
  private static final byte[] VERSION_KEY = {RESERVED, 'v', 'e', 'r', 's', 'i', 'o', 'n'};

  private EngineRecords() {}

  /** Returns the version of the last batch; empty for a database that has never been set up. */
  static OptionalLong version(RocksDB database) throws RocksDBException {
    byte[] bytes = database.get(VERSION_KEY);
    return bytes == null ? OptionalLong.empty() : OptionalLong.of(ByteBuffer.wrap(bytes).getLong());
  }

  /** Returns the format that the directory was written in. */
  static int format(RocksDB database) throws RocksDBException {
    byte[] bytes = database.get(FORMAT_KEY);
    return bytes == null ? FORMAT : ByteBuffer.wrap(bytes).getInt();
  }

  static void putVersion(WriteBatch batch, long version) throws RocksDBException {
    batch.put(VERSION_KEY, ByteBuffer.allocate(Long.BYTES).putLong(version).array());
  }

  static void putFormat(WriteBatch batch) throws RocksDBException {
    batch.put(FORMAT_KEY, ByteBuffer.allocate(Integer.BYTES).putInt(FORMAT).array());
  }
}
