package dev.bridle.core.work.replay;

import com.google.protobuf.ByteString;

/**
 * What the caller has noted about a replay.
 *
 * @param reason the reason; may be empty
 * @param metadata custom metadata, as a JSON object
 */
record ReplayNote(String reason, ByteString metadata) {}
