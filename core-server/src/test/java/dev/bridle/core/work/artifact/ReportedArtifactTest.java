package dev.bridle.core.work.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.ListArtifactsRequest;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.ArtifactReport;
import io.grpc.Channel;
import java.util.Locale;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportedArtifactTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 65_537, 1_048_576})
  void whatAWorkerReportsIsStoredWithItsContent(int size) {
    Channel owner = core.owner();
    Task task =
        core.task(
            core.session(owner, CoreFixture.WORKSPACE),
            CoreFixture.WORKSPACE,
            TaskStatus.TASK_STATUS_WORKING);
    byte[] content = Uploading.noise(size);
    ArtifactReport report =
        ArtifactReport.newBuilder()
            .setKind(ArtifactKind.ARTIFACT_KIND_LOG)
            .setMimeType("text/plain")
            .setVisibility(Visibility.VISIBILITY_PUBLIC)
            .setContent(ByteString.copyFrom(content))
            .build();

    Artifact made =
        core.commands()
            .fenced(
                FencedWrite.REPORT_STEP,
                CoreFixture.TENANT,
                "agent",
                write -> core.artifacts.insertReported(write, task, report));

    assertThat(made.getSha256()).isEqualTo(Uploading.sha256(content));
    assertThat(Uploading.downloaded(owner, made.getId())).isEqualTo(content);
    assertThat(
            ArtifactServiceGrpc.newBlockingStub(owner)
                .listArtifacts(ListArtifactsRequest.newBuilder().setTaskId(task.getId()).build())
                .getDataList())
        .containsExactly(made);
    assertThat(ArtifactStore.createdEvent(made, size).payload().toStringUtf8())
        .isEqualTo(
            String.format(
                Locale.ROOT,
                "{\"artifact_id\":\"%s\",\"kind\":\"log\",\"mime_type\":\"text/plain\",\"sha256\":\"%s\",\"size\":%d}",
                made.getId(),
                made.getSha256(),
                size));
  }
}
