package dev.bridle.cli.replay.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.util.Timestamps;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ReadTaskLogRequest;
import dev.bridle.event.v1.TaskLogPiece;
import dev.bridle.receipt.v1.GetReceiptRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.receipt.v1.ReceiptVerification;
import dev.bridle.receipt.v1.VerifyReceiptRequest;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads what a server has of an ended task: its receipt and its log. */
final class RecordedLog {
  private final Channel channel;
  private final String task;

  /**
   * Reads from a core.
   *
   * @param channel a channel with a credential that may read tasks, receipts and events
   * @param task the task's id
   */
  RecordedLog(Channel channel, String task) {
    this.channel = channel;
    this.task = task;
  }

  /** Returns the receipt as it was signed; empty if the task or its receipt is not there. */
  Optional<byte[]> receipt() {
    try {
      String id =
          TaskServiceGrpc.newBlockingStub(channel)
              .getTask(GetTaskRequest.newBuilder().setTaskId(task).build())
              .getReceiptId();
      return id.isEmpty()
          ? Optional.empty()
          : Optional.of(
              ReceiptServiceGrpc.newBlockingStub(channel)
                  .getReceipt(GetReceiptRequest.newBuilder().setReceiptId(id).build())
                  .getWire()
                  .getPayload()
                  .toByteArray());
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Returns why the server can't vouch for a receipt; empty if it does. The server knows the keys
   * of imported receipts, too.
   */
  Optional<String> doubtOf(String receipt) {
    // Asked about a time, the server does not record the result.
    ReceiptVerification verified =
        ReceiptServiceGrpc.newBlockingStub(channel)
            .verifyReceipt(
                VerifyReceiptRequest.newBuilder()
                    .setReceiptId(receipt)
                    .setAtTime(Timestamps.MAX_VALUE)
                    .build());
    return verified.getValid() ? Optional.empty() : Optional.of(verified.getReason());
  }

  /**
   * Reads the log line by line.
   *
   * @param reader takes a line, and returns whether it wants more
   */
  void read(Predicate<byte[]> reader) {
    Context.CancellableContext call = Context.current().withCancellation();
    Context before = call.attach();
    try {
      Iterator<TaskLogPiece> pieces =
          EventServiceGrpc.newBlockingStub(channel)
              .readTaskLog(ReadTaskLogRequest.newBuilder().setTaskId(task).build());
      boolean wanted = true;
      while (wanted && pieces.hasNext()) {
        wanted =
            pieces
                .next()
                .getData()
                .toString(UTF_8)
                .lines()
                .map(line -> line.getBytes(UTF_8))
                .allMatch(reader);
      }
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.NOT_FOUND) {
        throw e;
      }
    } finally {
      call.detach(before);
      call.cancel(Status.CANCELLED.asException());
    }
  }
}
