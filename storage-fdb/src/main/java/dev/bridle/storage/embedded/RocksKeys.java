package dev.bridle.storage.embedded;

import java.util.Arrays;
import org.rocksdb.RocksIterator;

/** A cursor over a RocksDB iterator. */
record RocksKeys(RocksIterator iterator) implements StoredKeys {

  @Override
  public boolean isValid() {
    return iterator.isValid();
  }

  @Override
  public byte[] key() {
    return iterator.key();
  }

  @Override
  public byte[] value() {
    return iterator.value();
  }

  @Override
  public void next() {
    iterator.next();
  }

  @Override
  public void previous() {
    iterator.prev();
  }

  @Override
  public void seekToFirst() {
    iterator.seekToFirst();
  }

  @Override
  public void seekToLast() {
    iterator.seekToLast();
  }

  @Override
  public void seek(byte[] key) {
    iterator.seek(key);
  }

  @Override
  public void seekBefore(byte[] key) {
    iterator.seekForPrev(key);
    if (iterator.isValid() && Arrays.equals(iterator.key(), key)) {
      iterator.prev();
    }
  }
}
