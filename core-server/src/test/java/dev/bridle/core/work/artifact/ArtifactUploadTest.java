package dev.bridle.core.work.artifact;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.CoreFixture;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import io.grpc.Channel;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArtifactUploadTest {
  private static final int CHUNK = BlobStore.CHUNK_BYTES;
  private static final int AHEAD = CHUNK * BlobStore.CHUNKS_AT_ONCE;
  private static final int MAX = 8 << 20;

  @RegisterExtension
  final CoreFixture core = new CoreFixture(new ArtifactLimits(MAX, Duration.ofHours(1)));

  private Channel owner;

  @BeforeEach
  void aTenant() {
    owner = core.owner();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1000",
    "1, 1000",
    "65535, 1000",
    "65536, 65536",
    "65537, 65536",
    "2097152, 1048576",
    "2097153, 1048576",
    "3000001, 7777",
    "8388608, 1048576"
  })
  void contentComesBackAsItWasSentHoweverItWasCut(int size, int messageBytes) {
    byte[] content = Uploading.noise(size);
    String id = registered();

    Artifact filled = Uploading.upload(owner, id, content, messageBytes);

    assertThat(filled.getSha256()).isEqualTo(Uploading.sha256(content));
    assertThat(Uploading.downloaded(owner, id)).isEqualTo(content);
    assertThat(core.chunks()).isEqualTo((size + CHUNK - 1) / CHUNK);
    assertThat(core.uploadsDue()).isEmpty();
  }

  @Test
  void theServerAsksForOneMessageAtATime() {
    String id = registered();
    core.calls.reset();

    Uploading.upload(owner, id, Uploading.noise(AHEAD + 1), 10_000);

    assertThat(core.calls.mostAskedAhead()).isEqualTo(1);
  }

  @Test
  void contentBeyondTheLimitIsRefusedAndLeavesNothing() {
    String id = registered();

    assertRefused(
        ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
        "",
        () -> Uploading.begin(owner).send(id, Uploading.noise(MAX + 1), 1 << 20).answer());

    assertNothingIsLeftOf(id);
  }

  @Test
  void contentThatIsNotAsPromisedIsRefusedAndLeavesNothing() {
    byte[] promised = Uploading.noise(AHEAD + CHUNK + 1);
    String id =
        Uploading.registered(
                owner,
                Uploading.described()
                    .setWorkspaceId(CoreFixture.WORKSPACE)
                    .setSha256(Uploading.sha256(promised).toUpperCase(Locale.ROOT)))
            .getId();
    byte[] other = promised.clone();
    other[7]++;

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "sha256", () -> Uploading.upload(owner, id, other));

    assertNothingIsLeftOf(id);
    assertThat(Uploading.upload(owner, id, promised).getSha256())
        .isEqualTo(Uploading.sha256(promised));
  }

  @Test
  void contentNeverChanges() {
    String id = registered();
    Uploading.upload(owner, id, Uploading.noise(10));

    // Refused at the first message: the upload has not ended.
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "",
        () -> Uploading.begin(owner).send(id, new byte[0], 1).answer());

    assertThat(Uploading.downloaded(owner, id)).isEqualTo(Uploading.noise(10));
  }

  @Test
  void ofTwoUploadsAtOnceOneIsStored() {
    String id = registered();
    byte[] first = Uploading.noise(AHEAD + CHUNK + 2);
    Uploading one = Uploading.begin(owner).send(id, first, 1 << 20);
    Uploading other = Uploading.begin(owner).send(id, Uploading.noise(AHEAD + CHUNK + 3), 1 << 20);
    await().until(() -> core.uploadsDue().size() == 2);

    one.end();
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", other::end);

    assertThat(Uploading.downloaded(owner, id)).isEqualTo(first);
    assertThat(core.chunks()).isEqualTo(BlobStore.CHUNKS_AT_ONCE + 2);
    assertThat(core.uploadsDue()).isEmpty();
  }

  @Test
  void anUploadThatBreaksOffLeavesNothing() {
    String id = registered();
    Uploading upload = Uploading.begin(owner).send(id, Uploading.noise(AHEAD + CHUNK), 1 << 20);
    await().until(() -> core.chunks() == BlobStore.CHUNKS_AT_ONCE);
    assertThat(core.uploadsDue()).hasSize(1);

    upload.breakOff();

    await().untilAsserted(() -> assertNothingIsLeftOf(id));
  }

  @Test
  void theSweeperDropsWhatNobodyEnds() {
    String id = registered();
    Uploading upload = Uploading.begin(owner).send(id, Uploading.noise(AHEAD + CHUNK), 1 << 20);
    await().until(() -> core.chunks() == BlobStore.CHUNKS_AT_ONCE);
    DueEntry entry = core.uploadsDue().get(0);
    assertThat(entry.tenant()).isEqualTo(CoreFixture.TENANT);

    core.uploads().expire(entry);

    assertThat(core.chunks()).isZero();
    assertThat(core.uploadsDue()).isEmpty();
    assertRefused(ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED, "", upload::end);
    assertNothingIsLeftOf(id);
  }

  @Test
  void theSweeperComesTooLateForAnUploadThatEnded() {
    String id = registered();
    byte[] content = Uploading.noise(AHEAD + CHUNK);
    Uploading upload = Uploading.begin(owner).send(id, content, 1 << 20);
    await().until(() -> core.uploadsDue().size() == 1);
    DueEntry entry = core.uploadsDue().get(0);
    upload.end();

    core.uploads().expire(entry);

    assertThat(Uploading.downloaded(owner, id)).isEqualTo(content);
  }

  @Test
  void anUploadNamesItsArtifactFirst() {
    Uploading nameless = Uploading.begin(owner).send("", new byte[0], 1);
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "artifact_id", nameless::answer);

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "artifact_id", () -> Uploading.begin(owner).end());

    Uploading another =
        Uploading.begin(owner).send(registered(), new byte[0], 1).send("another", new byte[0], 1);
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "artifact_id", another::answer);
  }

  @Test
  void anArtifactThatTheCallerDoesNotReachIsNotThere() {
    String id = registered();
    for (Channel stranger :
        new Channel[] {core.of(CoreFixture.TENANT, "another"), core.of("another")}) {
      assertRefused(
          ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
          "",
          () -> Uploading.begin(stranger).send(id, new byte[0], 1).answer());
    }
  }

  @Test
  void contentOfARunningTaskIsToldInItsLog() {
    Task task = task(TaskStatus.TASK_STATUS_WORKING);
    String id = Uploading.registered(owner, Uploading.described().setTaskId(task.getId())).getId();

    Uploading.upload(owner, id, Uploading.noise(12));

    assertThat(core.events(task.getSessionId()))
        .filteredOn(event -> event.getTaskId().equals(task.getId()))
        .extracting(EventRecord::getEvent, EventRecord::getSequence)
        .containsExactly(tuple("artifact.created", 0L), tuple("artifact.updated", 1L));
    assertThat(core.taskRecord(task.getId()).getTotals().getArtifacts()).isEqualTo(1);
  }

  @Test
  void contentOfAnEndedTaskIsToldOfTheArtifactAlone() {
    Task task = task(TaskStatus.TASK_STATUS_WORKING);
    String id = Uploading.registered(owner, Uploading.described().setTaskId(task.getId())).getId();
    core.setStatus(task.getId(), TaskStatus.TASK_STATUS_COMPLETED);

    Uploading.upload(owner, id, Uploading.noise(12));

    EventRecord last = core.lastEvent(task.getSessionId());
    assertThat(last.getEvent()).isEqualTo("artifact.updated");
    assertThat(last.getResourceObject()).isEqualTo("artifact");
    assertThat(last.getResourceId()).isEqualTo(id);
    assertThat(last.getTaskId()).isEmpty();
    assertThat(core.taskRecord(task.getId()).getNextSequence()).isEqualTo(1);
  }

  private Task task(TaskStatus status) {
    return core.task(core.session(owner, CoreFixture.WORKSPACE), CoreFixture.WORKSPACE, status);
  }

  private String registered() {
    return Uploading.registered(owner, Uploading.described().setWorkspaceId(CoreFixture.WORKSPACE))
        .getId();
  }

  private void assertNothingIsLeftOf(String id) {
    assertThat(core.chunks()).isZero();
    assertThat(core.uploadsDue()).isEmpty();
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> Uploading.downloaded(owner, id));
  }
}
