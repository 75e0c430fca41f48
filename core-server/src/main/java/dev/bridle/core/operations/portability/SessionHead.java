package dev.bridle.core.operations.portability;

import dev.bridle.session.v1.Session;
import dev.bridle.storage.layer.EventId;
import java.util.Map;
import java.util.Optional;

/**
 * The mutable part of a session, read in one transaction. The rest never changes, so it is read in
 * pieces afterwards, without what was committed after the high-water mark.
 *
 * @param record the session's record
 * @param session the session
 * @param highWater its newest event
 * @param next the sequence of its next event
 * @param transcript the hidden ranges of its transcript
 * @param chain the end of its chain of receipts
 * @param live its tasks that have not ended
 * @param empty its artifacts that have no content yet
 */
@SuppressWarnings("ArrayRecordComponent") // written once, never compared
record SessionHead(
    byte[] record,
    Session session,
    EventId highWater,
    long next,
    Optional<byte[]> transcript,
    Optional<byte[]> chain,
    Map<String, LiveTask> live,
    Map<String, byte[]> empty) {}
