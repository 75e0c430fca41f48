package dev.bridle.core.operations.check.rule;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Rows;
import java.util.Optional;

/** Looks up records of any kind. Damaged records count as absent. */
public final class Records {
  private final Rows rows;
  private final String tenant;

  public Records(Rows rows, String tenant) {
    this.rows = rows;
    this.tenant = tenant;
  }

  public byte[] key(RecordDef<?> kind, String id) {
    return rows.recordKeys().recordKey(tenant, kind.number(), id);
  }

  public boolean exists(ReadTransaction tr, RecordDef<?> kind, String id) {
    return tr.get(key(kind, id)).isPresent();
  }

  public <M extends MessageLite> Optional<M> find(
      ReadTransaction tr, RecordDef<M> kind, String id) {
    byte[] key = key(kind, id);
    return tr.get(key).flatMap(first -> rows.whole(tr, key, first)).flatMap(kind::parse);
  }

  public Optional<? extends StoredRecord<?>> read(
      ReadTransaction tr, RecordDef<?> kind, String id) {
    byte[] key = key(kind, id);
    return tr.get(key)
        .flatMap(first -> rows.whole(tr, key, first))
        .flatMap(value -> kind.read(id, value));
  }
}
