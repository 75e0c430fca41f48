package dev.bridle.core.api.event;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.event.LogEvidence;
import dev.bridle.event.v1.TaskLogPiece;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.StoredEvent;
import dev.bridle.task.v1.Task;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;

/**
 * Streams the evidence for a task's log digest with back-pressure: a page of events is read in a
 * short transaction, and the next one only once the call is ready again.
 */
final class TaskLogStream {
  private static final int AT_ONCE = 200;

  private final KeyValueStore store;
  private final EventLog log;
  private final String tenant;
  private final Task task;
  private final ServerCallStreamObserver<TaskLogPiece> call;
  private boolean ended;
  private long next;

  TaskLogStream(
      KeyValueStore store,
      EventLog log,
      String tenant,
      Task task,
      ServerCallStreamObserver<TaskLogPiece> call) {
    this.store = store;
    this.log = log;
    this.tenant = tenant;
    this.task = task;
    this.call = call;
  }

  /** Sends while the call is ready. Called again whenever it becomes ready. */
  void pump() {
    while (!ended && !call.isCancelled() && call.isReady()) {
      List<StoredEvent> page =
          store
              .read(
                  tr ->
                      log.readTask(
                          tr,
                          tenant,
                          task.getSessionId(),
                          task.getId(),
                          next,
                          AT_ONCE,
                          EventLog.PAGE_BYTES))
              .events();
      ByteString lines = ByteString.EMPTY;
      for (StoredEvent event : page) {
        lines = lines.concat(LogEvidence.line(event));
        next = sequence(event) + 1;
      }
      if (page.isEmpty()) {
        ended = true;
        call.onCompleted();
      } else {
        call.onNext(TaskLogPiece.newBuilder().setData(lines).build());
      }
    }
  }

  private static long sequence(StoredEvent event) {
    try {
      return EventRecord.parseFrom(event.body()).getSequence();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored event is damaged", e);
    }
  }
}
