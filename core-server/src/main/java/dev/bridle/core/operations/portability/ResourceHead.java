package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import java.util.Optional;

/**
 * The mutable part of a resource with its own stream.
 *
 * @param record its record
 * @param last its newest event
 * @param next the sequence of its next event
 */
@SuppressWarnings("ArrayRecordComponent") // written once, never compared
record ResourceHead(byte[] record, Optional<EventId> last, long next) {

  /** Reads a head; empty if retention has dropped the resource. */
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
