package dev.bridle.storage.layer;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;

/**
 * A kind of record.
 *
 * @param number the kind's number in keys: stored, never changed or reused
 * @param parser reads the record
 * @param <M> the record
 */
public record RecordType<M extends MessageLite>(int number, Parser<M> parser) {}
