package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.HostedFolders;
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
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.CreatePersonaRequest;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.ReceiptPolicy;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Standing grants against a model, in random orders of questions, answers, revocations and times:
 * one covers what its approver was shown and nothing else, and neither after its end nor after its
 * revocation, and never a protected file.
 */
class GrantModelTest {
  private static final int STEPS = 40;

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

  /** What edits may change, in a workspace whose folder is ROOT; several are apart by a blank. */
  private static final List<String> EDITS =
      List.of(
          "ROOT/src/A.java",
          "ROOT/src/B.java",
          "ROOT/src/deep/C.java",
          "ROOT/src/deep/D.java",
          "ROOT/src2/A.java",
          "ROOT/Src/A.java",
          "ROOT/src",
          "ROOT/top.txt",
          "ROOT/caf\u00e9/x",
          "ROOT/cafe\u0301/x",
          "ROOT/src/deep/C.java ROOT/src/A.java",
          "ROOT/src/A.java ROOT/src2/A.java",
          // Not plain, or not in the workspace.
          "ROOT",
          "ROOT/",
          "ROOT/src/",
          "ROOT/src//A.java",
          "ROOT/src/./A.java",
          "ROOT/src/../src2/A.java",
          "ROOT/src/..",
          "ROOT/src/A\u0007.java",
          "ROOT2/src/A.java",
          "/etc/passwd",
          "src/A.java",
          "ROOT/src/A.java ROOT2/src/A.java");

  private static final int PLAIN_EDITS = 12;
  private static final List<String> PROTECTED_EDITS =
      List.of(
          "ROOT/src/.git/hooks/pre-commit",
          "ROOT/src/.GIT/config",
          "ROOT/src/.g\u200cit/config",
          "ROOT/src/.git. /config",
          "ROOT/src/.\u017f\u017fh/config",
          "ROOT/src/.BashRC",
          "ROOT/.github/workflows/x.yml",
          "ROOT/src/A.java ROOT/src/opencode.json");

  private static final List<String> WIDE = List.of("this_tool", "this_session");
  private static final List<String> KINDS = List.of("edit", "edit", "edit", "delete", "move");

  private static final SetClock CLOCK = new SetClock("2026-11-21T10:00:00Z");
  private static Path directory;
  private static KeyValueStore store;
  private static CoreOver core;
  private static TestWorker worker;
  private static PermissionServiceBlockingStub people;
  private static WorkerServiceBlockingStub workers;
  private static TaskServiceBlockingStub tasks;
  private static SessionServiceBlockingStub sessions;
  private static String persona;

  @BeforeContainer
  static void start() throws IOException {
    directory = Files.createTempDirectory("bridle-grants");
    store = SuiteStore.open(directory.resolve("data"));
    core = CoreOver.start(store, CLOCK);
    var all = core.of("default");
    worker = new TestWorker(all, "", "w1");
    people = PermissionServiceGrpc.newBlockingStub(core.approver("default"));
    workers = WorkerServiceGrpc.newBlockingStub(all);
    tasks = TaskServiceGrpc.newBlockingStub(all);
    sessions = SessionServiceGrpc.newBlockingStub(all);
    persona =
        PersonaServiceGrpc.newBlockingStub(all)
            .createPersona(
                CreatePersonaRequest.newBuilder()
                    .setName("Editor")
                    .setVersion("1")
                    .setEntryWorkflow("edit.harn")
                    .setDescription("Edits")
                    .setAutonomyTier(AutonomyTier.AUTONOMY_TIER_ACT_WITH_APPROVAL)
                    .setReceiptPolicy(ReceiptPolicy.RECEIPT_POLICY_OPTIONAL)
                    .build())
            .getId();
  }

  @AfterContainer
  static void stop() throws IOException {
    worker.close();
    core.close();
    store.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** An action as an agent asks for it. */
  private record Action(String kind, String tool, String content, List<String> files) {
    boolean isProtected() {
      return CONTENTS.indexOf(content) >= FIRST_PROTECTED
          || PROTECTED_EDITS.contains(String.join(" ", files));
    }

    AskedAction asked(long run) {
      AskedAction.Builder asked =
          AskedAction.newBuilder()
              .setKind(kind)
              .setTool(tool)
              .setContent(ByteString.copyFromUtf8(content.replace("RUN", "run" + run)));
      paths(run).forEach(asked::addEditedFiles);
      return asked.build();
    }

    List<String> paths(long run) {
      return files.stream().map(file -> file.replace("ROOT", root(run))).toList();
    }

    /** Returns whether it is an edit of files that lie below a folder as they are spelled. */
    boolean editsBelow(String folder, long run) {
      return kind.equals("edit")
          && !files.isEmpty()
          && paths(run).stream().allMatch(file -> liesBelow(file, folder));
    }

    private static boolean liesBelow(String file, String folder) {
      Path path = Path.of(file);
      return file.chars().noneMatch(Character::isISOControl)
          && path.normalize().toString().equals(file)
          && path.startsWith(folder)
          && !path.equals(Path.of(folder));
    }

    /** Returns the deepest folder that all files are in. */
    String folder(long run) {
      Path folder = Path.of(paths(run).get(0)).getParent();
      while (!editsBelow(folder.toString(), run)) {
        folder = folder.getParent();
      }
      return folder.toString();
    }
  }

  private static String root(long run) {
    return "/home/run" + run;
  }

  /** Where an action is asked for. */
  private record Place(String session, String workspace, String persona) {}

  /** A grant as its approver was shown it: an empty {@code until} is the close of the session. */
  private record Given(
      String id, OfferedGrant offer, Place place, Action action, Optional<Long> until) {
    boolean covers(Action asked, Place in, long run) {
      boolean sameSession = in.session().equals(place.session());
      boolean sameWork =
          in.workspace().equals(place.workspace()) && in.persona().equals(place.persona());
      return switch (offer.getId()) {
        case "this_action", "this_action_today" -> sameSession && asked.equals(action);
        case "this_tool" -> sameSession && asked.tool().equals(action.tool());
        case "this_session" -> sameSession;
        case "this_workspace" -> sameWork && asked.equals(action);
        case "edits_below" -> sameWork && asked.editsBelow(offer.getFolder(), run);
        default -> throw new AssertionError(offer);
      };
    }
  }

  /** One run: its sessions, its grants, and chance. */
  private static final class Run {
    /** Two runs may have the same seed, and must not find each other's grants. */
    private static final AtomicLong RUNS = new AtomicLong();

    private final Random random;
    private final long number;
    private final String workspace;
    private final boolean onlyFolders;
    private final List<Place> all = new ArrayList<>();
    private final List<Given> given = new ArrayList<>();
    private final List<String> revoked = new ArrayList<>();

    Run(long seed) {
      this.random = new Random(seed);
      this.number = RUNS.incrementAndGet();
      this.onlyFolders = random.nextBoolean();
      this.workspace = HostedFolders.open(core.operator(), root(number));
      session();
    }

    private void session() {
      CreateSessionRequest.Builder made =
          CreateSessionRequest.newBuilder()
              .setWorkspaceId(random.nextInt(6) > 0 ? workspace : "default");
      if (random.nextInt(4) == 0) {
        made.setPersonaId(persona);
      }
      all.add(
          new Place(
              sessions.createSession(made.build()).getId(),
              made.getWorkspaceId(),
              made.getPersonaId()));
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
      Place place = one(all);
      if (all.size() > 1) {
        all.remove(place);
        var unused =
            sessions.closeSession(
                CloseSessionRequest.newBuilder().setSessionId(place.session()).build());
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
      Action action = action();
      Place place = one(all);
      var unused = tasks.submitSessionTask(TestCore.submission(place.session()));
      worker.want(1);
      TaskLease lease = worker.lease();
      RequestPermissionResponse response =
          workers.requestPermission(
              WorkerRequests.permission(lease, "s").setAction(action.asked(number)).build());
      Set<String> covering = covering(action, place);
      assertThat(response.getVerdict())
          .as("%s in %s, covered by %s of %s", action, place, covering, given)
          .isEqualTo(
              covering.isEmpty()
                  ? PermissionVerdict.PERMISSION_VERDICT_WAITING
                  : PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
      if (covering.isEmpty()) {
        answer(response.getRequestId(), place, action);
      } else {
        assertThat(covering).contains(response.getGrantId());
      }
      end(lease);
    }

    private Action action() {
      if (!onlyFolders && random.nextBoolean()) {
        return new Action("command", one(TOOLS), one(CONTENTS), List.of());
      }
      String edited =
          switch (random.nextInt(6)) {
            case 0 -> one(PROTECTED_EDITS);
            case 1 -> one(EDITS);
            default -> one(EDITS.subList(0, PLAIN_EDITS));
          };
      String content = "{\"RUN\":" + random.nextInt(3) + "}";
      return new Action(one(KINDS), one(TOOLS), content, List.of(edited.split(" ")));
    }

    private Set<String> covering(Action action, Place place) {
      Set<String> covering = new TreeSet<>();
      for (Given grant : given) {
        boolean ended = grant.until().filter(until -> CLOCK.millis() >= until).isPresent();
        if (!ended
            && !revoked.contains(grant.id())
            && !action.isProtected()
            && grant.covers(action, place, number)) {
          covering.add(grant.id());
        }
      }
      return covering;
    }

    private void answer(String id, Place place, Action action) {
      PermissionRequest request =
          people.getPermissionRequest(
              GetPermissionRequestRequest.newBuilder().setRequestId(id).build());
      List<OfferedGrant> offered = request.getRequest().getOfferedGrantsList();
      assertThat(offered.isEmpty()).as("%s", action).isEqualTo(action.isProtected());
      boolean below =
          place.workspace().equals(workspace)
              && !action.isProtected()
              && action.editsBelow(root(number), number);
      assertThat(offered.stream().filter(OfferedGrant::hasFolder).map(OfferedGrant::getFolder))
          .as("%s in %s", action, place)
          .isEqualTo(below ? List.of(action.folder(number)) : List.of());
      RespondPermissionRequestRequest.Builder said =
          RespondPermissionRequestRequest.newBuilder()
              .setRequestId(id)
              .setApproved(random.nextInt(5) > 0);
      Optional<OfferedGrant> named =
          said.getApproved() && random.nextInt(4) > 0 ? chosen(offered) : Optional.empty();
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
            new Given(answered.getResponse().getGrantId(), named.get(), place, action, until));
      }
    }

    /** Wide grants would soon cover all that narrow ones are to be tried with. */
    private Optional<OfferedGrant> chosen(List<OfferedGrant> offered) {
      List<OfferedGrant> narrow =
          offered.stream().filter(grant -> random.nextInt(20) == 0 || isNarrow(grant)).toList();
      return narrow.isEmpty() ? Optional.empty() : Optional.of(one(narrow));
    }

    private boolean isNarrow(OfferedGrant grant) {
      return onlyFolders ? grant.hasFolder() : !WIDE.contains(grant.getId());
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

  @Property(tries = 15, shrinking = ShrinkingMode.OFF)
  void aGrantIsNeverWiderThanShownNorUsedAfterItsEnd(@ForAll long seed) {
    Run run = new Run(seed);
    for (int step = 0; step < STEPS; step++) {
      run.step();
    }
  }
}
