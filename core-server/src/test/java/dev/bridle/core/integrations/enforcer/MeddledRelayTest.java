package dev.bridle.core.integrations.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.core.integrations.enforcer.remote.RelayTarget;
import dev.bridle.core.integrations.enforcer.remote.RelayTargets;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.work.permission.AskedTasks;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.sampling.Sample;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.TaskLease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Somebody between a server and a relay elsewhere alters, forges, replays, exchanges, reorders,
 * repeats, delays and drops what goes through. An action is allowed only if its approver has been
 * shown and has signed exactly that, and then once. Attacks are random; a failure names the seed.
 * {@code -Dbridle.harp.attacks=N} makes another number of long runs.
 */
final class MeddledRelayTest extends AskedTasks {
  private final MeddlingRelay between = new MeddlingRelay();
  private final DeviceKeys keys = DeviceKeys.create(new SecureRandom());
  private final DeviceKeys thief = DeviceKeys.create(new SecureRandom());

  /** What was delivered before, to be delivered again. */
  private final List<ObjectNode> earlier = new ArrayList<>();

  private OddServer server;

  /** What is delivered in place of a decision. */
  private enum Attack {
    TURNED,
    FORGED,
    OF_THE_OTHER_REQUEST,
    OF_THE_OTHER_ARTIFACT,
    REPLAYED,
    RENAMED,
    WIDENED,
    LATE,
    GARBAGE
  }

  /** What becomes of the decision that the approver has signed. */
  private enum Fate {
    DELIVERED_TWICE,
    DROPPED,
    LOST_ONCE;

    /** Each comes in eight runs; a loss costs the time after which the server calls again. */
    static Fate of(int seed) {
      return switch (seed % 8) {
        case 1, 5 -> DROPPED;
        case 3 -> LOST_ONCE;
        default -> DELIVERED_TWICE;
      };
    }
  }

  @Override
  protected CoreOptions core(CoreOptions options) {
    try {
      server = OddServer.answering(between);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return options.withHarpRelays(
        new RelayTargets(
            List.of(
                new RelayTarget(
                    "home",
                    RelayTarget.url("http://127.0.0.1:" + server.port()),
                    RelayTarget.DEFAULT_ENFORCER,
                    () -> "the-secret",
                    Optional.empty(),
                    Set.of("default")))));
  }

  @BeforeEach
  void enrol() {
    var unused =
        ApprovalDeviceServiceGrpc.newBlockingStub(core.owner())
            .createApprovalDevice(Phone.enrolment(keys, "ada", "ada-far").setRelay("home").build());
  }

  @AfterEach
  void stopServer() throws IOException {
    server.close();
  }

  @Test
  void nothingIsDoneThatTheApproverWasNotShownAndHasNotSigned() throws HarpException {
    meddle(8);
  }

  @Test
  @Tag("slow")
  void nothingIsDoneThatTheApproverWasNotShownAndHasNotSignedInManyRuns() throws HarpException {
    meddle(Integer.getInteger("bridle.harp.attacks", Sample.of("attacks").count(200)));
  }

  private void meddle(int runs) throws HarpException {
    for (int seed = 1; seed <= runs; seed++) {
      run(seed, new Random(seed));
    }
  }

  /** A task that waits, and what its approver is asked now. */
  private record Waiting(TaskLease lease, String command, String permission, Artifact shown) {
    Waiting asked(Artifact anew) {
      return new Waiting(lease, command, permission, anew);
    }
  }

  private void run(int seed, Random random) throws HarpException {
    Waiting one = begin("make " + seed + " one");
    Waiting two = begin("make " + seed + " two");
    exchangeArtifacts(one.shown(), two.shown());
    int attacks = random.nextInt(Acceptance.MAX_REISSUED + 1);
    for (int times = 0; times < attacks; times++) {
      Attack attack = Attack.values()[random.nextInt(Attack.values().length)];
      between.deliver(one.shown().requestId(), attacked(attack, one.shown(), two.shown()));
      one = one.asked(awaitShown(one.permission()));
      assertThat(read(one.permission()).getStatus())
          .as("seed %d, after %s", seed, attack)
          .isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    }
    boolean allow = random.nextBoolean();
    ObjectNode ofOne = honest(keys, one.shown(), allow ? Answer.ALLOW : Answer.DENY);
    ObjectNode ofTwo = honest(keys, two.shown(), Answer.ALLOW);
    between.deliver(two.shown().requestId(), ofTwo); // The one that was signed last comes first.
    assertThat(verdict(seed, two)).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    Fate fate = Fate.of(seed);
    switch (fate) {
      case DROPPED -> cancelUndecided(seed, one);
      case LOST_ONCE -> between.deliverAfterLoss(one.shown().requestId(), ofOne);
      case DELIVERED_TWICE -> {
        between.deliver(one.shown().requestId(), ofOne);
        between.deliver(one.shown().requestId(), ofOne.deepCopy());
      }
    }
    if (fate != Fate.DROPPED) {
      assertThat(verdict(seed, one) == PermissionVerdict.PERMISSION_VERDICT_ALLOWED)
          .as("seed %d, %s", seed, fate)
          .isEqualTo(allow);
    }
    assertThat(between.hasLost(one.shown().requestId()))
        .as("seed %d, %s", seed, fate)
        .isEqualTo(fate == Fate.LOST_ONCE);
    earlier.add(ofOne);
    earlier.add(ofTwo);
  }

  /** What was signed and never arrives allows nothing, neither before nor after the task's end. */
  private void cancelUndecided(int seed, Waiting waiting) {
    String permission = waiting.permission();
    assertThat(read(permission).getStatus())
        .as("seed %d, dropped", seed)
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    String task = waiting.lease().getTask().getId();
    var unused = core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());
    // The server takes it back there, and has not taken anything for its decision.
    await().until(() -> between.submitted(waiting.shown().requestId()).isEmpty());
    PermissionRequest closed = read(permission);
    assertThat(closed.getStatus())
        .as("seed %d, dropped", seed)
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_EXPIRED);
    assertThat(closed.getResponse().getAnswersList()).as("seed %d, dropped", seed).isEmpty();
  }

  private Waiting begin(String command) {
    worker.want(1);
    core.submit(session);
    TaskLease lease = worker.lease();
    String permission = ask(wanted(lease, "1", command).addApprovers("ada")).getRequestId();
    return new Waiting(lease, command, permission, awaitShown(permission));
  }

  /** Returns the verdict of a decided action, which a second one of the same does not get. */
  private PermissionVerdict verdict(int seed, Waiting waiting) {
    TaskLease again = next(waiting.lease().getTask().getId());
    PermissionVerdict verdict =
        ask(wanted(again, "1", waiting.command()).addApprovers("ada")).getVerdict();
    assertThat(ask(wanted(again, "2", waiting.command()).addApprovers("ada")).getVerdict())
        .as("seed %d, for the second time", seed)
        .isNotEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    // Else what waits piles up, and a server does not wait for more than so many at once.
    var unused =
        core.tasks()
            .cancelTask(CancelTaskRequest.newBuilder().setTaskId(again.getTask().getId()).build());
    return verdict;
  }

  /** A device opens nothing that stands under another request, or was changed. */
  private void exchangeArtifacts(Artifact one, Artifact two) {
    ObjectNode first = between.submitted(one.requestId()).orElseThrow();
    ObjectNode second = between.submitted(two.requestId()).orElseThrow();
    ObjectNode exchanged = first.deepCopy();
    exchanged.set("body", second.get("body"));
    ObjectNode mixed = first.deepCopy();
    ((ObjectNode) mixed.at("/body/ciphertext"))
        .set("data", second.at("/body/ciphertext/data").deepCopy());
    for (ObjectNode altered : List.of(exchanged, mixed)) {
      assertThatThrownBy(() -> open(altered)).isInstanceOf(HarpException.class);
    }
  }

  private Artifact open(ObjectNode envelope) throws HarpException {
    return ArtifactSubmit.sealed(
            envelope.get("requestId").textValue(),
            envelope.at("/body/artifactHash").textValue(),
            (ObjectNode) envelope.at("/body/ciphertext"))
        .open(keys.agreement());
  }

  /** Waits for what the device is asked and nobody has answered yet. */
  private Artifact awaitShown(String permission) {
    return await().until(() -> unanswered(permission), Optional::isPresent).orElseThrow();
  }

  private Optional<Artifact> unanswered(String permission) throws HarpException {
    for (ObjectNode envelope : between.unanswered()) {
      Artifact shown = open(envelope);
      if (shown.payload().get("permissionRequestId").textValue().equals(permission)) {
        return Optional.of(shown);
      }
    }
    return Optional.empty();
  }

  private static ObjectNode honest(DeviceKeys device, Artifact shown, Answer answer)
      throws HarpException {
    return delivered(
        device,
        Decision.Content.once(
            Decision.Subject.of(shown),
            answer,
            Instant.now().plusSeconds(300),
            UUID.randomUUID().toString()));
  }

  /** Returns the envelope in which a relay delivers a decision. */
  private static ObjectNode delivered(DeviceKeys device, Decision.Content content)
      throws HarpException {
    Decision decision = Decision.sign(content, device.signerKeyId(), device.signing());
    ObjectNode envelope =
        JsonNodeFactory.instance
            .objectNode()
            .put("msgType", "decision.deliver")
            .put("msgId", UUID.randomUUID().toString())
            .put("requestId", decision.subject().requestId())
            .put("createdAt", "2026-01-01T00:00:00Z")
            .put("expiresAt", decision.json().get("expiresAt").textValue());
    envelope.putObject("sender").put("gatewayId", "between");
    envelope.set("body", DecisionSubmit.body(decision, Optional.empty()));
    return envelope;
  }

  private ObjectNode attacked(Attack attack, Artifact shown, Artifact other) throws HarpException {
    return switch (attack) {
      case TURNED -> {
        ObjectNode no = honest(keys, shown, Answer.DENY);
        ((ObjectNode) no.get("body")).put("decision", "approve").remove("decisionHash");
        yield no;
      }
      case FORGED -> {
        ObjectNode forged = honest(thief, shown, Answer.ALLOW);
        ((ObjectNode) forged.get("body")).put("signerKeyId", keys.signerKeyId());
        yield forged;
      }
      case OF_THE_OTHER_REQUEST -> honest(keys, other, Answer.ALLOW);
      case OF_THE_OTHER_ARTIFACT -> {
        ObjectNode renamed = honest(keys, other, Answer.ALLOW);
        yield renamed.put("requestId", shown.requestId());
      }
      case REPLAYED ->
          earlier.isEmpty()
              ? honest(thief, shown, Answer.ALLOW)
              : earlier.get(earlier.size() - 1).deepCopy();
      case RENAMED -> {
        ObjectNode renamed = honest(keys, shown, Answer.ALLOW);
        ((ObjectNode) renamed.get("body")).put("nonce", "another");
        yield renamed;
      }
      case WIDENED -> {
        ObjectNode longer = honest(keys, shown, Answer.ALLOW);
        yield longer.put("expiresAt", Instant.now().plusSeconds(86_400).toString());
      }
      case LATE ->
          delivered(
              keys,
              Decision.Content.once(
                  Decision.Subject.of(shown),
                  Answer.ALLOW,
                  Instant.now().minusSeconds(3600),
                  "late"));
      case GARBAGE -> JsonNodeFactory.instance.objectNode().put("msgType", "decision.deliver");
    };
  }
}
