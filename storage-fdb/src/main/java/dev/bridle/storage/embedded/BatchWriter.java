package dev.bridle.storage.embedded;

import org.rocksdb.RocksDBException;

/** Receives the merged writes of a batch: cleared ranges first, then single keys. */
interface BatchWriter {

  void put(byte[] key, byte[] value) throws RocksDBException;

  void delete(byte[] key) throws RocksDBException;

  /** Removes all keys from {@code begin} up to, and without, {@code end}. */
  void deleteRange(byte[] begin, byte[] end) throws RocksDBException;
}
