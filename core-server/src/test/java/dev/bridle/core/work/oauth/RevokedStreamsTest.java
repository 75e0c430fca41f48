package dev.bridle.core.work.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.CreateApiKeyResponse;
import dev.bridle.admin.v1.CreateOAuthClientResponse;
import dev.bridle.admin.v1.RevokeApiKeyRequest;
import dev.bridle.admin.v1.RevokeOAuthClientRequest;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.StreamEventsRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.LeaseTasksRequest;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream lasts no longer than the credential that it was opened with. */
final class RevokedStreamsTest {
  @TempDir private Path directory;
  private OAuthWorld world;
  private CreateApiKeyResponse owner;

  @BeforeEach
  void start() {
    world = new OAuthWorld(directory);
    owner = key();
  }

  @AfterEach
  void stop() {
    assertThat(world.findings()).isEmpty();
    world.close();
  }

  @Test
  void theStreamOfARevokedKeyEndsAndThoseOfOthersGoOn() {
    CreateApiKeyResponse ended = key();
    Reader theirs = read(ended.getSecret());
    Reader mine = read(owner.getSecret());
    theirs.awaitHistory();
    mine.awaitHistory();

    var unused =
        admin()
            .revokeApiKey(
                RevokeApiKeyRequest.newBuilder().setKeyId(ended.getKey().getId()).build());

    theirs.awaitRefusal();
    int before = mine.frames.size();
    newSession();
    await().until(() -> mine.frames.size() > before);
    assertThat(mine.end).isEmpty();
  }

  @Test
  void theStreamOfARevokedClientsTokenEnds() {
    CreateOAuthClientResponse client = world.client("events:read");
    Reader reader = read(world.token(client));
    reader.awaitHistory();

    var unused =
        world
            .admin()
            .revokeOAuthClient(
                RevokeOAuthClientRequest.newBuilder()
                    .setClientId(client.getClient().getId())
                    .build());

    reader.awaitRefusal();
  }

  @Test
  void theStreamOfATokenEndsWithTheToken() {
    Reader reader = read(world.token(world.client("events:read")));
    reader.awaitHistory();
    newSession();
    await().until(() -> reader.frames.stream().anyMatch(EventFrame::hasEvent));

    world.clock.pass(Duration.ofHours(1).plus(TokenTimes.SKEW).plusSeconds(1));

    reader.awaitRefusal();
  }

  @Test
  void aWorkerWhoseKeyIsRevokedGetsNoMoreTasks() {
    CreateApiKeyResponse key = key();
    Reader worker = new Reader();
    WorkerServiceGrpc.WorkerServiceStub stub = WorkerServiceGrpc.newStub(world.as(key.getSecret()));
    var registered =
        WorkerServiceGrpc.newBlockingStub(world.as(key.getSecret()))
            .registerWorker(RegisterWorkerRequest.newBuilder().setAgentId("counter").build());
    assertThat(registered).isNotNull();
    StreamObserver<LeaseTasksRequest> asking = stub.leaseTasks(worker.leases());
    asking.onNext(
        LeaseTasksRequest.newBuilder()
            .setHello(LeaseHello.newBuilder().setAgentId("counter").setWorkerId("w1"))
            .build());
    asking.onNext(LeaseTasksRequest.newBuilder().setWant(1).build());

    var unused =
        admin()
            .revokeApiKey(RevokeApiKeyRequest.newBuilder().setKeyId(key.getKey().getId()).build());

    worker.awaitRefusal();
  }

  private AdminServiceGrpc.AdminServiceBlockingStub admin() {
    return AdminServiceGrpc.newBlockingStub(world.operator());
  }

  private CreateApiKeyResponse key() {
    return admin().createApiKey(CreateApiKeyRequest.getDefaultInstance());
  }

  private void newSession() {
    assertThat(
            SessionServiceGrpc.newBlockingStub(world.as(owner.getSecret()))
                .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
                .getId())
        .isNotEmpty();
  }

  private Reader read(String bearer) {
    Reader reader = new Reader();
    EventServiceGrpc.newStub(world.as(bearer))
        .streamEvents(StreamEventsRequest.getDefaultInstance(), reader.events());
    return reader;
  }

  /** What has come of a stream. */
  private static final class Reader {
    private final List<EventFrame> frames = new CopyOnWriteArrayList<>();
    private final List<Optional<Throwable>> end = new CopyOnWriteArrayList<>();

    StreamObserver<EventFrame> events() {
      return observer(frames);
    }

    StreamObserver<LeaseTasksResponse> leases() {
      return observer(new CopyOnWriteArrayList<>());
    }

    private <T> StreamObserver<T> observer(List<T> came) {
      return new StreamObserver<>() {
        @Override
        public void onNext(T message) {
          came.add(message);
        }

        @Override
        public void onError(Throwable failure) {
          end.add(Optional.of(failure));
        }

        @Override
        public void onCompleted() {
          end.add(Optional.empty());
        }
      };
    }

    void awaitHistory() {
      await().until(() -> frames.stream().anyMatch(EventFrame::hasHistoryEnd));
    }

    void awaitRefusal() {
      await().until(() -> !end.isEmpty());
      assertThat(end).hasSize(1);
      assertThat(Status.fromThrowable(end.get(0).orElseThrow()).getCode())
          .isEqualTo(Status.Code.UNAUTHENTICATED);
    }
  }
}
