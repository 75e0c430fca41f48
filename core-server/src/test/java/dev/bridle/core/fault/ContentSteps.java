package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.GetArtifactRequest;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.core.work.redaction.RedactedTask;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.message.v1.GetMessageRequest;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.redaction.v1.GetRedactionRequest;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.redaction.v1.Redaction;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.redaction.v1.RedactionStatus;
import dev.bridle.vault.v1.VaultSecret;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UseSecretRequest;
import dev.bridle.worker.v1.UseSecretResponse;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import dev.bridle.workspace.v1.ReadWorkspaceFileRequest;
import dev.bridle.workspace.v1.WorkspaceFile;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WriteWorkspaceFileRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** Secrets, files, and artifacts of clients. */
final class ContentSteps {
  private ContentSteps() {}

  static VaultSecret setSecret(World world, String name, String value, String key) {
    return world.callOnce(
        "set secret", key, channel -> SampleVaults.put(channel, world.vault(), name, value));
  }

  static UseSecretResponse useSecret(World world, TaskLease lease, String name) {
    UseSecretRequest request =
        UseSecretRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .setName(name)
            .build();
    return world.call(
        "use secret", channel -> WorkerServiceGrpc.newBlockingStub(channel).useSecret(request));
  }

  static WorkspaceFile write(World world, String path, String content, String key) {
    WriteWorkspaceFileRequest request =
        WriteWorkspaceFileRequest.newBuilder()
            .setWorkspaceId("default")
            .setPath(path)
            .setContent(content)
            .build();
    return world.callOnce(
        "write",
        key,
        channel -> WorkspaceServiceGrpc.newBlockingStub(channel).writeWorkspaceFile(request));
  }

  static String read(World world, String path) {
    ReadWorkspaceFileRequest request =
        ReadWorkspaceFileRequest.newBuilder().setWorkspaceId("default").setPath(path).build();
    return world
        .call(
            "read",
            channel -> WorkspaceServiceGrpc.newBlockingStub(channel).readWorkspaceFile(request))
        .getFile()
        .getContent();
  }

  static Redaction redact(World world, RedactedObject object, String id, String key) {
    return world.callOnce("redact", key, channel -> RedactedTask.redact(channel, object, id));
  }

  /** Returns whether nothing is left of a message's text. */
  static boolean isGone(World world, String message) {
    GetMessageRequest request = GetMessageRequest.newBuilder().setMessageId(message).build();
    return world
        .call("look", channel -> MessageServiceGrpc.newBlockingStub(channel).getMessage(request))
        .getParts(0)
        .getText()
        .getText()
        .isEmpty();
  }

  /** Lets time pass until all copies are erased. */
  static void awaitDone(World world, Redaction redaction) {
    GetRedactionRequest request =
        GetRedactionRequest.newBuilder().setRedactionId(redaction.getId()).build();
    Redaction seen =
        world.timePassesUntil(
            one -> one.getStatus() == RedactionStatus.REDACTION_STATUS_DONE,
            "redaction",
            channel -> RedactionServiceGrpc.newBlockingStub(channel).getRedaction(request));
    assertThat(seen.getStatus()).isEqualTo(RedactionStatus.REDACTION_STATUS_DONE);
  }

  static Artifact register(World world, String key) {
    return world.callOnce(
        "register",
        key,
        channel ->
            ArtifactServiceGrpc.newBlockingStub(channel)
                .registerArtifact(Uploading.described().setSessionId(world.session()).build()));
  }

  /** Sends content until it is there. A client that hears of no answer looks whether it is. */
  static Artifact upload(World world, String artifact, byte[] content) {
    return world.call(
        "upload",
        channel -> {
          try {
            return Uploading.upload(channel, artifact, content);
          } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.ALREADY_EXISTS) {
              throw e;
            }
            return ArtifactServiceGrpc.newBlockingStub(channel)
                .getArtifact(GetArtifactRequest.newBuilder().setArtifactId(artifact).build());
          }
        });
  }
}
