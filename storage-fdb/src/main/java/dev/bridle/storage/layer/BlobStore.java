package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.List;

/**
 * Stores large content in chunks: {@code tenant / BLOB / blob, chunk → bytes}. A blob is written in
 * several transactions before anything references it, and is immutable afterwards.
 */
public final class BlobStore {
  /** Bytes of a chunk, below the store's limit for a value. */
  public static final int CHUNK_BYTES = 64 * 1024;

  /** The maximum number of chunks that one transaction should write or read. */
  public static final int CHUNKS_AT_ONCE = 32;

  private final KeyLayout layout;

  public BlobStore(KeyLayout layout) {
    this.layout = layout;
  }

  /** Stores one chunk, which is full unless it is the last. */
  public void write(Transaction tr, String tenant, String blob, long chunk, byte[] bytes) {
    if (bytes.length > CHUNK_BYTES) {
      throw new IllegalArgumentException("a chunk of " + bytes.length + " bytes is too large");
    }
    tr.set(layout.key(of(tenant, blob).add(chunk)), bytes);
  }

  /** Returns up to {@code limit} chunks from a number on. */
  public List<byte[]> read(ReadTransaction tr, String tenant, String blob, long from, int limit) {
    Tuple parent = of(tenant, blob);
    KeyRange range = new KeyRange(layout.key(parent.add(from)), layout.children(parent).end());
    return tr.getRange(range, limit).stream().map(KeyValue::value).toList();
  }

  /** Removes a blob. */
  public void delete(Transaction tr, String tenant, String blob) {
    tr.clear(layout.children(of(tenant, blob)));
  }

  private Tuple of(String tenant, String blob) {
    return layout.tenant(tenant, TenantSpace.BLOB).add(blob);
  }
}
