package dev.bridle.core.kernel.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.event.v1.ListEventsResponse;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What one call counts for, in an order of events that sockets give seldom. */
final class UnreadCallTest {
  private static final ListEventsResponse PAGE = ListEventsResponse.getDefaultInstance();

  private final List<Object> sent = new ArrayList<>();
  private final AtomicReference<ServerCall<ListEventsRequest, ListEventsResponse>> counted =
      new AtomicReference<>();
  private final UnreadResponses responses =
      new UnreadResponses(new PendingBytes(1000, 500), (remote, local) -> {});
  private boolean ready = true;

  /** A call whose client reads when the test says so. */
  private final class Sink extends ServerCall<ListEventsRequest, ListEventsResponse> {
    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(ListEventsResponse message) {
      sent.add(message);
      ready = false;
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void close(Status status, Metadata trailers) {}

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public Attributes getAttributes() {
      return Attributes.EMPTY;
    }

    @Override
    public MethodDescriptor<ListEventsRequest, ListEventsResponse> getMethodDescriptor() {
      return EventServiceGrpc.getListEventsMethod();
    }
  }

  private ServerCall.Listener<ListEventsRequest> call() {
    return responses.interceptCall(
        new Sink(),
        new Metadata(),
        (call, headers) -> {
          counted.set(call);
          return new ServerCall.Listener<>() {};
        });
  }

  @Test
  void whatWasReadCountsNoMore() {
    ServerCall.Listener<ListEventsRequest> events = call();
    counted.get().sendMessage(PAGE);
    assertThat(responses.unreadBytes()).isPositive();
    events.onReady();
    assertThat(responses.unreadBytes()).as("said before it was read").isPositive();

    ready = true;
    events.onReady();

    assertThat(responses.unreadBytes()).isZero();
  }

  @Test
  void whatIsSentAfterTheEndOfACallCountsForNothing() {
    ServerCall.Listener<ListEventsRequest> canceled = call();
    canceled.onCancel();
    counted.get().sendMessage(PAGE);
    ServerCall.Listener<ListEventsRequest> completed = call();
    counted.get().sendMessage(PAGE);
    completed.onComplete();
    counted.get().sendMessage(PAGE);

    assertThat(responses.unreadBytes()).isZero();
    assertThat(sent).hasSize(1);
  }

  @Test
  void aCallThatAloneIsTooMuchSendsNothingMore() {
    var unused = call();
    for (int i = 0; i < 10; i++) {
      counted.get().sendMessage(PAGE);
    }

    assertThat(responses.unreadBytes()).isZero();
    assertThat(sent).hasSizeBetween(1, 3);
  }
}
