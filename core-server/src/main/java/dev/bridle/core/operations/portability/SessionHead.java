package dev.bridle.core.operations.portability;

import dev.bridle.session.v1.Session;
import dev.bridle.storage.layer.EventId;
import java.util.Map;
import java.util.Optional;

/**
 * All of a session that can still change, read in one transaction. The rest never changes, so it
 * can be read piece by piece afterwards: what committed after the high water is left out.
 *
 * @param record the session's record
 * @param session the session
 * @param highWater its newest event
 * @param next the sequence of its next event
 * @param transcript what its transcript hides
 * @param live its tasks that have not ended
 * @param empty its artifacts that have no content yet
 */
@SuppressWarnings("ArrayRecordComponent") // Written once, compared by nobody.
record SessionHead(
    byte[] record,
    Session session,
    EventId highWater,
    long next,
    Optional<byte[]> transcript,
    Map<String, LiveTask> live,
    Map<String, byte[]> empty) {}
