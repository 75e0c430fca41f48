package dev.bridle.worker;

import dev.bridle.worker.v1.ReadTranscriptRequest;
import java.util.List;

/** Reads what was said in the session of a leased task. Thread-safe. */
record SessionReading(LeaseHold hold, CoreCalls core) {
  List<SaidMessage> transcript(int limit) {
    return core
        .call(
            hold,
            stub ->
                stub.readTranscript(
                    ReadTranscriptRequest.newBuilder()
                        .setTaskId(hold.taskId())
                        .setFence(hold.fence())
                        .setLimit(limit)
                        .build()))
        .getMessagesList()
        .stream()
        .map(SaidMessage::new)
        .toList();
  }
}
