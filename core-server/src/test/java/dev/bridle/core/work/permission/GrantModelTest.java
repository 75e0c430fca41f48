package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.permission.v1.GetPermissionRequestRequest;
import dev.bridle.permission.v1.OfferedGrant;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionServiceGrpc.PermissionServiceBlockingStub;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.permission.v1.RevokePermissionGrantRequest;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.SessionServiceGrpc.SessionServiceBlockingStub;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskServiceGrpc.TaskServiceBlockingStub;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import dev.bridle.worker.v1.WorkerServiceGrpc.WorkerServiceBlockingStub;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Standing grants against a model, in random orders of questions, answers, revocations and times:
 * one covers what its approver was shown and nothing else, and neither after its end nor after its
 * revocation, and never a protected file.
 */
class GrantModelTest {
  private static final int STEPS = 24;

  /** Actions that differ in little; the first word of a command is made unique for each run. */
  private static final List<String> CONTENTS =
      List.of(
          "{\"command\":\"RUN ls\"}",
          "{\"command\":\"RUN ls \"}",
          "{\"command\":\"RUN Ls\"}",
          "{\"command\":\"RUN ls\",\"cwd\":\"/tmp\"}",
          "{\"command\":\"RUN ls\",\"cwd\":\"/tmp/\"}",
          "{\"command\":\"RUN ls; rm -rf x\"}",
          "{\"command\":[\"RUN\",\"ls\"]}",
          "{\"command\":\"RUN ls\",\"n\":1}",
          "{\"command\":\"RUN ls\",\"n\":1.0}",
          "{\"path\":\"RUN/.git/hooks/pre-commit\"}",
          "{\"path\":\"RUN/a/../.GitHub/workflows/x.yml\"}",
          "{\"edits\":[{\"file\":\"RUN/.bashrc\"}]}");

  private static final int FIRST_PROTECTED = 9;
  private static final List<String> TOOLS = List.of("shell", "edit");

  private static final SetClock CLOCK = new SetClock("2026-11-21T10:00:00Z");
  private static KeyValueStore store;
  private static CoreOver core;
  private static TestWorker worker;
  private static PermissionServiceBlockingStub people;
  private static WorkerServiceBlockingStub workers;
  private static TaskServiceBlockingStub tasks;
  private static SessionServiceBlockingStub sessions;

  @BeforeContainer
  static void start() throws IOException {
    store = SuiteStore.open(Files.createTempDirectory("bridle-grants").resolve("data"));
    core = CoreOver.start(store, CLOCK);
    var all = core.of("default");
    worker = new TestWorker(all, "", "w1");
    people = PermissionServiceGrpc.newBlockingStub(all);
    workers = WorkerServiceGrpc.newBlockingStub(all);
    tasks = TaskServiceGrpc.newBlockingStub(all);
    sessions = SessionServiceGrpc.newBlockingStub(all);
  }

  @AfterContainer
  static void stop() {
    worker.close();
    core.close();
    store.close();
  }

  /** An action as an agent asks for it. */
  private record Action(String tool, int content) {
    boolean isProtected() {
      return content >= FIRST_PROTECTED;
    }

    AskedAction asked(long run) {
      return AskedAction.newBuilder()
          .setKind("command")
          .setTool(tool)
          .setContent(ByteString.copyFromUtf8(CONTENTS.get(content).replace("RUN", "run" + run)))
          .build();
    }
  }

  /** A grant as its approver was shown it: an empty {@code until} is the close of the session. */
  private record Given(
      String id, String offer, String session, Action action, Optional<Long> until) {
    boolean covers(Action asked, String in) {
      return switch (offer) {
        case "this_action", "this_action_today" -> in.equals(session) && asked.equals(action);
        case "this_tool" -> in.equals(session) && asked.tool().equals(action.tool());
        case "this_session" -> in.equals(session);
        case "this_workspace" -> asked.equals(action);
        default -> throw new AssertionError(offer);
      };
    }
  }

  /** One run: its sessions, its grants, and chance. */
  private static final class Run {
    private final Random random;
    private final long number;
    private final List<String> all = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private final List<Given> given = new ArrayList<>();
    private final List<String> revoked = new ArrayList<>();

    Run(long seed) {
      this.random = new Random(seed);
      this.number = seed & 0xffffffffffL;
      session();
    }

    private void session() {
      all.add(
          sessions
              .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
              .getId());
    }

    void step() {
      switch (random.nextInt(12)) {
        case 0 -> session();
        case 1 -> close();
        case 2 -> revoke();
        case 3 -> CLOCK.pass(Duration.ofMinutes(random.nextInt(300)));
        case 4 -> CLOCK.pass(Duration.ofHours(random.nextInt(400)));
        default -> ask();
      }
    }

    private void close() {
      String session = one(all);
      if (all.size() > 1 && closed.add(session)) {
        all.remove(session);
        var unused =
            sessions.closeSession(CloseSessionRequest.newBuilder().setSessionId(session).build());
      }
    }

    private void revoke() {
      if (!given.isEmpty()) {
        String id = one(given).id();
        revoked.add(id);
        var unused =
            people.revokePermissionGrant(
                RevokePermissionGrantRequest.newBuilder().setGrantId(id).build());
      }
    }

    private void ask() {
      Action action = new Action(one(TOOLS), random.nextInt(CONTENTS.size()));
      String session = one(all);
      var unused = tasks.submitSessionTask(TestCore.submission(session));
      worker.want(1);
      TaskLease lease = worker.lease();
      RequestPermissionResponse response =
          workers.requestPermission(
              WorkerRequests.permission(lease, "s").setAction(action.asked(number)).build());
      Set<String> covering = covering(action, session);
      assertThat(response.getVerdict())
          .as("%s in %s, covered by %s of %s", action, session, covering, given)
          .isEqualTo(
              covering.isEmpty()
                  ? PermissionVerdict.PERMISSION_VERDICT_WAITING
                  : PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
      if (covering.isEmpty()) {
        answer(response.getRequestId(), session, action);
      } else {
        assertThat(covering).contains(response.getGrantId());
      }
      end(lease);
    }

    private Set<String> covering(Action action, String session) {
      Set<String> covering = new TreeSet<>();
      for (Given grant : given) {
        boolean ended = grant.until().filter(until -> CLOCK.millis() >= until).isPresent();
        if (!ended
            && !revoked.contains(grant.id())
            && !action.isProtected()
            && grant.covers(action, session)) {
          covering.add(grant.id());
        }
      }
      return covering;
    }

    private void answer(String id, String session, Action action) {
      PermissionRequest request =
          people.getPermissionRequest(
              GetPermissionRequestRequest.newBuilder().setRequestId(id).build());
      List<OfferedGrant> offered = request.getRequest().getOfferedGrantsList();
      assertThat(offered.isEmpty()).as("%s", action).isEqualTo(action.isProtected());
      RespondPermissionRequestRequest.Builder said =
          RespondPermissionRequestRequest.newBuilder()
              .setRequestId(id)
              .setApproved(random.nextInt(5) > 0);
      Optional<OfferedGrant> named =
          said.getApproved() && !offered.isEmpty() && random.nextInt(4) > 0
              ? Optional.of(one(offered))
              : Optional.empty();
      named.ifPresent(grant -> said.setGrant(grant.getId()));
      Optional<Long> until =
          named.filter(OfferedGrant::hasUntil).map(grant -> Timestamps.toMillis(grant.getUntil()));
      if (until.isPresent() && random.nextBoolean()) {
        long span = until.get() - CLOCK.millis();
        until = Optional.of(CLOCK.millis() + 1 + (long) (random.nextDouble() * (span - 1)));
        said.setUntil(Timestamps.fromMillis(until.get()));
      }
      PermissionRequest answered = people.respondPermissionRequest(said.build());
      if (named.isPresent()) {
        given.add(
            new Given(
                answered.getResponse().getGrantId(), named.get().getId(), session, action, until));
      }
    }

    private static void end(TaskLease lease) {
      String task = lease.getTask().getId();
      var canceled = tasks.cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());
      if (canceled.getStatus() != TaskStatus.TASK_STATUS_CANCELED) {
        var unused =
            workers.acknowledgeCancel(
                AcknowledgeCancelRequest.newBuilder()
                    .setTaskId(task)
                    .setFence(lease.getFence())
                    .build());
      }
    }

    private <T> T one(List<T> of) {
      return of.get(random.nextInt(of.size()));
    }
  }

  @Property(tries = 15)
  void aGrantIsNeverWiderThanShownNorUsedAfterItsEnd(@ForAll long seed) {
    Run run = new Run(seed);
    for (int step = 0; step < STEPS; step++) {
      run.step();
    }
  }
}
