package dev.bridle.storage.layer;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;

/**
 * A kind of record.
 *
 * @param number the kind's number in keys: stored, never changed or reused
 * @param parser reads the record
 * @param configuration whether the records are part of a tenant's configuration, whose version each
 *     change of them changes
 * @param <M> the record
 */
public record RecordType<M extends MessageLite>(
    int number, Parser<M> parser, boolean configuration) {

  /** Creates a kind of records that are no configuration. */
  public RecordType(int number, Parser<M> parser) {
    this(number, parser, false);
  }
}
