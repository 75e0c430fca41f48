package dev.bridle.core.fault;

import static dev.bridle.redaction.v1.RedactedObject.REDACTED_OBJECT_ARTIFACT;
import static dev.bridle.redaction.v1.RedactedObject.REDACTED_OBJECT_MESSAGE;
import static dev.bridle.redaction.v1.RedactedObject.REDACTED_OBJECT_TASK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.redaction.v1.Redaction;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.task.v1.Task;
import dev.bridle.vault.v1.VaultSecret;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.workspace.v1.WorkspaceFile;
import io.grpc.Channel;

/** Secrets, files and artifacts. See {@link Scenarios}. */
final class ContentScripts {
  private ContentScripts() {}

  static void secret(World world) {
    VaultSecret first = ContentSteps.setSecret(world, "token", "one", "key-1");
    VaultSecret second = ContentSteps.setSecret(world, "token", "two", "key-2");
    assertThat(second.getVersion()).isEqualTo(first.getVersion() + 1);
    assertThat(ContentSteps.setSecret(world, "token", "one", "key-1"))
        .as("the answer to a retry")
        .isEqualTo(first);
    Task task = TaskSteps.submit(world, "key-3");
    TaskLease lease = world.lease("w1");
    assertThat(ContentSteps.useSecret(world, lease, "token").getValue()).isEqualTo("two");
    assertThat(ContentSteps.useSecret(world, lease, "token").getValue()).isEqualTo("two");
    var unused = TaskSteps.complete(world, lease);
    world.expected().completed(task.getId(), "vendor.bridle.secret_used");
  }

  static void file(World world) {
    String content = "x".repeat(2 * BlobStore.CHUNK_BYTES + 1);
    WorkspaceFile first = ContentSteps.write(world, "notes/a", "short", "key-1");
    assertThat(ContentSteps.write(world, "notes/a", content, "key-2").getBytes())
        .isEqualTo(content.length());
    assertThat(ContentSteps.write(world, "notes/a", "short", "key-1")).isEqualTo(first);
    assertThat(ContentSteps.read(world, "notes/a")).isEqualTo(content);
  }

  static void upload(World world) {
    byte[] content = Uploading.noise((BlobStore.CHUNKS_AT_ONCE + 2) * BlobStore.CHUNK_BYTES);
    Artifact artifact = ContentSteps.register(world, "key-1");
    Artifact filled = ContentSteps.upload(world, artifact.getId(), content);
    assertThat(filled.getSha256()).isEqualTo(Uploading.sha256(content));
    assertThat(ContentSteps.register(world, "key-1")).isEqualTo(artifact);
    byte[] stored = world.call("download", channel -> downloaded(channel, artifact));
    assertThat(stored).isEqualTo(content);
  }

  static void redaction(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    TaskLease asking = world.lease("w1");
    String artifact = ReportSteps.artifact(world, asking, "log").getArtifact().getId();
    assertThat(TaskSteps.ask(world, asking).hasAnswer()).isFalse();
    String message = TaskSteps.answer(world, task.getId(), "key-2");
    var unused = TaskSteps.complete(world, world.lease("w1"));
    Redaction said = ContentSteps.redact(world, REDACTED_OBJECT_MESSAGE, message, "key-3");
    assertThat(ContentSteps.isGone(world, message)).isTrue();
    Redaction made = ContentSteps.redact(world, REDACTED_OBJECT_ARTIFACT, artifact, "key-4");
    assertThat(ContentSteps.redact(world, REDACTED_OBJECT_MESSAGE, message, "key-3").getId())
        .isEqualTo(said.getId());
    assertThat(ContentSteps.redact(world, REDACTED_OBJECT_ARTIFACT, artifact, "key-5").getId())
        .isEqualTo(made.getId());
    assertThat(TaskSteps.answer(world, task.getId(), "key-2")).isEqualTo(message);
    ContentSteps.awaitDone(world, said);
    ContentSteps.awaitDone(world, made);
    Redaction whole = ContentSteps.redact(world, REDACTED_OBJECT_TASK, task.getId(), "key-6");
    ContentSteps.awaitDone(world, whole);
    world
        .expected()
        .completed(
            task.getId(),
            "artifact.created",
            "task.input_required",
            "user.input_submitted",
            "task.status_changed");
    world.expected().gone("forty-two");
  }

  private static byte[] downloaded(Channel channel, Artifact artifact) {
    return Uploading.downloaded(channel, artifact.getId());
  }
}
