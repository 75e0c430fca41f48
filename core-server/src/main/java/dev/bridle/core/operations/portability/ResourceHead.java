package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import java.util.Optional;

/**
 * What can still change of a resource with a stream of its own.
 *
 * @param record its record
 * @param last its newest event
 * @param next the sequence of its next event
 */
@SuppressWarnings("ArrayRecordComponent") // Written once, compared by nobody.
record ResourceHead(byte[] record, Optional<EventId> last, long next) {

  /** Reads a head; empty where retention has dropped the resource since. */
  static Optional<ResourceHead> read(
      ReadTransaction tr,
      TransferStores stores,
      String tenant,
      RecordDef<?> kind,
      String object,
      String id) {
    return stores
        .records()
        .get(tr, tenant, kind.number(), id)
        .map(
            record ->
                new ResourceHead(
                    record,
                    stores.log().lastEventId(tr, tenant, id),
                    stores.events().sequence(tr, tenant, object, id)));
  }
}
