package dev.bridle.benchmarks.flood;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import dev.bridle.session.v1.ListSessionsRequest;
import dev.bridle.session.v1.ListSessionsResponse;
import dev.bridle.session.v1.SessionServiceGrpc;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An honest user of a tenant at the gRPC port: reads sessions at a fixed pace, in turn over a
 * connection that is kept and over a new one. Times run from when a call was due.
 */
final class GrpcTenant implements AutoCloseable {
  private static final int CALL_SECONDS = 40;
  private static final ListSessionsRequest REQUEST =
      ListSessionsRequest.newBuilder().setLimit(5).build();

  private final InetSocketAddress server;
  private final ClientInterceptor credentials;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final Measured measured = new Measured();
  private final ManagedChannel kept;
  private int turn;

  GrpcTenant(InetSocketAddress server, String key) {
    this.server = server;
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + key);
    this.credentials = MetadataUtils.newAttachHeadersInterceptor(headers);
    this.kept = connect();
  }

  /** Begins to call every so many milliseconds. */
  void start(long everyMillis) {
    var unused = clock.scheduleAtFixedRate(this::call, 0, everyMillis, TimeUnit.MILLISECONDS);
  }

  Measured measured() {
    return measured;
  }

  @Override
  public void close() {
    clock.shutdownNow();
    kept.shutdownNow();
  }

  private ManagedChannel connect() {
    return ManagedChannelBuilder.forAddress(server.getHostString(), server.getPort())
        .usePlaintext()
        .build();
  }

  private void call() {
    long due = System.nanoTime();
    boolean fresh = turn++ % 2 == 0;
    ManagedChannel channel = fresh ? connect() : kept;
    Futures.addCallback(
        SessionServiceGrpc.newFutureStub(channel)
            .withInterceptors(credentials)
            .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
            .listSessions(REQUEST),
        new FutureCallback<ListSessionsResponse>() {
          @Override
          public void onSuccess(ListSessionsResponse answer) {
            measured.now().answered((System.nanoTime() - due) / 1e6);
            end();
          }

          @Override
          public void onFailure(Throwable failure) {
            measured.now().failed(Status.fromThrowable(failure).getCode() + how(fresh));
            end();
          }

          private void end() {
            if (fresh) {
              channel.shutdownNow();
            }
          }
        },
        MoreExecutors.directExecutor());
  }

  private static String how(boolean fresh) {
    return fresh ? ", new connection" : ", kept connection";
  }
}
