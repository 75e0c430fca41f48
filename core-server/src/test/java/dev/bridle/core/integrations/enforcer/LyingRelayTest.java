package dev.bridle.core.integrations.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.core.work.permission.AskedTasks;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RevokeApprovalDeviceRequest;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.sampling.Sample;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever is delivered as a decision, an action is allowed only if its approver has signed exactly
 * that; and what they have signed is allowed, once. Attacks and their order are random; a failure
 * names the seed. {@code -Dbridle.harp.attacks=N} makes another number of long runs.
 */
final class LyingRelayTest extends AskedTasks {
  private static final PermissionVerdict ALLOWED = PermissionVerdict.PERMISSION_VERDICT_ALLOWED;

  private static final int RUNS_OF_A_PHONE = 100;

  /** What was delivered of earlier decisions, to be delivered again. */
  private final List<ObjectNode> delivered = new ArrayList<>();

  private Phone phone;
  private Phone thief;

  /** What a relay, or whoever is between, makes of a decision about a request. */
  private enum Attack {
    FORGED,
    OF_ANOTHER_KEY,
    TURNED,
    OF_ANOTHER_ARTIFACT,
    OF_ANOTHER_REQUEST,
    REPLAYED,
    SIGNATURE_CUT,
    OF_ANOTHER_PLACE,
    EXPIRED,
    NONCE_CHANGED,
    EXPIRY_CHANGED
  }

  @Test
  void nothingIsAllowedThatTheApproverHasNotSigned() {
    attack(10);
  }

  @Test
  @Tag("slow")
  void nothingIsAllowedThatTheApproverHasNotSignedInManyRuns() {
    attack(Integer.getInteger("bridle.harp.attacks", Sample.of("lies").count(200)));
  }

  private void attack(int runs) {
    thief = Phone.of(core, "eve", "eve-1");
    for (int seed = 1; seed <= runs; seed++) {
      if (seed % RUNS_OF_A_PHONE == 1) {
        newPhone(seed);
      }
      run(seed);
    }
  }

  /** A phone may decide so much in a minute, and what is replayed to another one is forged. */
  private void newPhone(int seed) {
    if (seed > 1) {
      var unused =
          ApprovalDeviceServiceGrpc.newBlockingStub(core.owner())
              .revokeApprovalDevice(
                  RevokeApprovalDeviceRequest.newBuilder()
                      .setApprovalDeviceId(phone.device().getId())
                      .build());
    }
    phone = Phone.of(core, "ada", "ada-" + seed);
  }

  private void run(int seed) {
    Random random = new Random(seed);
    worker.want(1);
    core.submit(session);
    TaskLease lease = worker.lease();
    String command = "make " + seed;
    String request = ask(wanted(lease, "1", command).addApprovers("ada")).getRequestId();
    Artifact shown = awaitAsked(request, Optional.empty());
    int attacks = random.nextInt(Acceptance.MAX_REISSUED + 1);
    for (int times = 0; times < attacks; times++) {
      Attack attack = Attack.values()[random.nextInt(Attack.values().length)];
      phone.send(shown.requestId(), attacked(attack, shown));
      shown = awaitAsked(request, Optional.of(shown));
      assertThat(read(request).getStatus())
          .as("seed %d, after %s", seed, attack)
          .isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    }
    boolean allow = random.nextBoolean();
    ObjectNode honest = phone.signed(shown, allow ? Answer.ALLOW : Answer.DENY);
    phone.send(shown.requestId(), honest);
    delivered.add(honest);
    PermissionStatus decided =
        allow
            ? PermissionStatus.PERMISSION_STATUS_APPROVED
            : PermissionStatus.PERMISSION_STATUS_DENIED;
    soon()
        .untilAsserted(
            () -> assertThat(read(request).getStatus()).as("seed %d", seed).isEqualTo(decided));
    TaskLease again = next(lease.getTask().getId());
    assertThat(ask(wanted(again, "1", command).addApprovers("ada")).getVerdict() == ALLOWED)
        .as("seed %d", seed)
        .isEqualTo(allow);
    assertThat(ask(wanted(again, "2", command).addApprovers("ada")).getVerdict())
        .as("seed %d, for the second time", seed)
        .isNotEqualTo(ALLOWED);
  }

  private ObjectNode attacked(Attack attack, Artifact shown) {
    ObjectNode honest = phone.signed(shown, attack == Attack.TURNED ? Answer.DENY : Answer.ALLOW);
    ObjectNode body = (ObjectNode) honest.get("body");
    body.remove("decisionHash");
    switch (attack) {
      case FORGED -> {
        ObjectNode forged = (ObjectNode) thief.signed(shown, Answer.ALLOW).get("body");
        body.set("nonce", forged.get("nonce"));
        body.set("signature", forged.get("signature"));
      }
      case OF_ANOTHER_KEY -> {
        return thief.signed(shown, Answer.ALLOW);
      }
      case TURNED -> body.put("decision", "approve");
      case OF_ANOTHER_ARTIFACT ->
          body.set(
              "signature",
              signature(
                  new Decision.Subject(shown.requestId(), "ab".repeat(32), shown.repoRef()),
                  honest));
      case OF_ANOTHER_REQUEST ->
          body.set(
              "signature",
              signature(
                  new Decision.Subject("harp_another", shown.hash(), shown.repoRef()), honest));
      case OF_ANOTHER_PLACE ->
          body.set(
              "signature",
              signature(
                  new Decision.Subject(shown.requestId(), shown.hash(), "bridle:workspace/other"),
                  honest));
      case REPLAYED -> {
        if (delivered.isEmpty()) {
          body.put("nonce", "of-an-earlier-one");
        } else {
          ObjectNode earlier = delivered.get(delivered.size() - 1).deepCopy();
          ObjectNode replayed = (ObjectNode) earlier.get("body");
          replayed.put("artifactHash", "sha256:" + shown.hash()).remove("decisionHash");
          return earlier;
        }
      }
      case SIGNATURE_CUT -> body.put("signature", Base64Url.encode(new byte[63]));
      case EXPIRED -> {
        ObjectNode late =
            phone.signed(
                Decision.Content.once(
                    Decision.Subject.of(shown),
                    Answer.ALLOW,
                    Instant.now().minusSeconds(3600),
                    UUID.randomUUID().toString()));
        late.remove("expiresAt"); // The relay would see that it is over.
        return late;
      }
      case NONCE_CHANGED -> body.put("nonce", UUID.randomUUID().toString());
      case EXPIRY_CHANGED -> honest.put("expiresAt", Instant.now().plusSeconds(86_000).toString());
    }
    return honest;
  }

  /** Returns the signature of a decision about something else, with all else as it is. */
  private JsonNode signature(Decision.Subject subject, ObjectNode honest) {
    return phone
        .signed(
            Decision.Content.once(
                subject,
                Answer.ALLOW,
                Instant.parse(honest.get("expiresAt").textValue()),
                honest.at("/body/nonce").textValue()))
        .at("/body/signature");
  }

  /** Looks often, since each run waits for several things. */
  private static ConditionFactory soon() {
    return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
  }

  /**
   * Waits for what the phone is asked about a permission request beside what it was asked before.
   */
  private Artifact awaitAsked(String request, Optional<Artifact> known) {
    return soon()
        .until(
            () ->
                phone.asked().stream()
                    .filter(
                        one -> one.payload().get("permissionRequestId").textValue().equals(request))
                    .filter(
                        one ->
                            known
                                .map(Artifact::requestId)
                                .filter(one.requestId()::equals)
                                .isEmpty())
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }
}
