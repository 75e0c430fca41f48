package dev.bridle.core.operations.check;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Rows;
import java.util.Optional;

/** Looks up records of any kind. Damaged records count as absent. */
final class Records {
  private final Rows rows;
  private final String tenant;

  Records(Rows rows, String tenant) {
    this.rows = rows;
    this.tenant = tenant;
  }

  byte[] key(RecordDef<?> kind, String id) {
    return rows.recordKeys().recordKey(tenant, kind.number(), id);
  }

  boolean exists(ReadTransaction tr, RecordDef<?> kind, String id) {
    return tr.get(key(kind, id)).isPresent();
  }

  <M extends MessageLite> Optional<M> find(ReadTransaction tr, RecordDef<M> kind, String id) {
    byte[] key = key(kind, id);
    return tr.get(key).flatMap(first -> rows.whole(tr, key, first)).flatMap(kind::parse);
  }

  Optional<? extends StoredRecord<?>> read(ReadTransaction tr, RecordDef<?> kind, String id) {
    byte[] key = key(kind, id);
    return tr.get(key)
        .flatMap(first -> rows.whole(tr, key, first))
        .flatMap(value -> kind.read(id, value));
  }
}
