package dev.bridle.storage.embedded;

import java.util.Map;
import java.util.function.Function;
import org.pcollections.TreePMap;

/**
 * One version of a store in memory: an immutable map, which shares most of its nodes with others.
 */
record MemoryVersion(long version, TreePMap<byte[], byte[]> pairs) implements PublishedVersion {

  @Override
  public boolean retain() {
    return true;
  }

  @Override
  public void release() {
    // Freed by the garbage collector.
  }

  @Override
  public byte[] get(byte[] key) {
    byte[] value = pairs.get(key);
    return value == null ? null : value.clone();
  }

  @Override
  public <T> T read(Span span, Function<StoredKeys, T> work) {
    Cursor cursor = new Cursor(pairs.subMap(span.begin(), true, span.end(), false));
    cursor.seekToFirst();
    return work.apply(cursor);
  }

  private static final class Cursor implements StoredKeys {
    private final TreePMap<byte[], byte[]> pairs;
    private Map.Entry<byte[], byte[]> at;

    Cursor(TreePMap<byte[], byte[]> pairs) {
      this.pairs = pairs;
    }

    @Override
    public boolean isValid() {
      return at != null;
    }

    @Override
    public byte[] key() {
      return at.getKey().clone();
    }

    @Override
    public byte[] value() {
      return at.getValue().clone();
    }

    @Override
    public void next() {
      at = pairs.higherEntry(at.getKey());
    }

    @Override
    public void previous() {
      at = pairs.lowerEntry(at.getKey());
    }

    @Override
    public void seekToFirst() {
      at = pairs.isEmpty() ? null : pairs.firstEntry();
    }

    @Override
    public void seekToLast() {
      at = pairs.isEmpty() ? null : pairs.lastEntry();
    }

    @Override
    public void seek(byte[] key) {
      at = pairs.ceilingEntry(key);
    }

    @Override
    public void seekBefore(byte[] key) {
      at = pairs.lowerEntry(key);
    }
  }
}
