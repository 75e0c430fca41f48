package dev.bridle.benchmarks;

import com.google.protobuf.ByteString;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.StreamTaskEventsRequest;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;

/** A client of the core's gRPC face over a socket. */
final class GrpcTasks implements AutoCloseable {
  private final ManagedChannel channel;
  private final TaskServiceGrpc.TaskServiceStub tasks;
  private final EventServiceGrpc.EventServiceStub events;
  private final SubmitTaskRequest submission;

  GrpcTasks(int port, String key, String session) {
    this.channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().directExecutor().build();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + key);
    Channel authorized =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    this.tasks = TaskServiceGrpc.newStub(authorized);
    this.events = EventServiceGrpc.newStub(authorized);
    this.submission =
        SubmitTaskRequest.newBuilder()
            .setSessionId(session)
            .setInput(SubmitTaskInput.newBuilder().setJson(ByteString.copyFromUtf8("{\"n\":1}")))
            .build();
  }

  /** Submits a task and reads its stream to the end, which is its terminal event. */
  CompletableFuture<?> submitAndFollow() {
    Last<Task> accepted = new Last<>();
    tasks.submitSessionTask(submission, accepted);
    return accepted.end.thenCompose(
        task -> {
          Last<EventFrame> stream = new Last<>();
          events.streamTaskEvents(
              StreamTaskEventsRequest.newBuilder().setTaskId(task.getId()).build(), stream);
          return stream.end.thenAccept(
              last -> {
                if (!last.getEvent().getEvent().equals("task.completed")) {
                  throw new IllegalStateException("a stream ended early: " + last);
                }
              });
        });
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  /** Keeps the last message of a response. */
  private static final class Last<T> implements StreamObserver<T> {
    private final CompletableFuture<T> end = new CompletableFuture<>();
    private volatile T last;

    @Override
    public void onNext(T message) {
      last = message;
    }

    @Override
    public void onError(Throwable failure) {
      end.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      end.complete(last);
    }
  }
}
