package dev.bridle.core.work.artifact;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactContent;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.DownloadArtifactContentRequest;
import dev.bridle.artifact.v1.RegisterArtifactRequest;
import dev.bridle.artifact.v1.UploadArtifactContentRequest;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An upload as a client makes it, and words about artifacts that tests share. */
public final class Uploading implements StreamObserver<Artifact> {
  private final CompletableFuture<Artifact> answer = new CompletableFuture<>();
  private final StreamObserver<UploadArtifactContentRequest> requests;
  private Artifact last = Artifact.getDefaultInstance();

  private Uploading(Channel caller) {
    this.requests = ArtifactServiceGrpc.newStub(caller).uploadArtifactContent(this);
  }

  public static Uploading begin(Channel caller) {
    return new Uploading(caller);
  }

  /** Uploads bytes in messages of a size. */
  static Artifact upload(Channel caller, String artifact, byte[] content, int messageBytes) {
    return begin(caller).send(artifact, content, messageBytes).end();
  }

  public static Artifact upload(Channel caller, String artifact, byte[] content) {
    return upload(caller, artifact, content, 1 << 20);
  }

  public Uploading send(String artifact, byte[] content, int messageBytes) {
    requests.onNext(UploadArtifactContentRequest.newBuilder().setArtifactId(artifact).build());
    for (int at = 0; at < content.length; at += messageBytes) {
      int length = Math.min(messageBytes, content.length - at);
      requests.onNext(
          UploadArtifactContentRequest.newBuilder()
              .setData(ByteString.copyFrom(content, at, length))
              .build());
    }
    return this;
  }

  /** Ends the upload and returns its answer. */
  Artifact end() {
    requests.onCompleted();
    return answer();
  }

  /** Waits for the answer, also to an upload that has not ended. */
  Artifact answer() {
    try {
      return answer.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (StatusRuntimeException) e.getCause();
    } catch (InterruptedException | TimeoutException e) {
      throw new IllegalStateException("no answer to an upload", e);
    }
  }

  public void breakOff() {
    requests.onError(Status.CANCELLED.asRuntimeException());
  }

  @Override
  public void onNext(Artifact artifact) {
    last = artifact;
  }

  @Override
  public void onError(Throwable failure) {
    answer.completeExceptionally(failure);
  }

  @Override
  public void onCompleted() {
    answer.complete(last);
  }

  public static RegisterArtifactRequest.Builder described() {
    return RegisterArtifactRequest.newBuilder()
        .setKind(ArtifactKind.ARTIFACT_KIND_DATASET)
        .setMimeType("text/csv")
        .setVisibility(Visibility.VISIBILITY_PUBLIC);
  }

  public static Artifact registered(Channel caller, RegisterArtifactRequest.Builder request) {
    return ArtifactServiceGrpc.newBlockingStub(caller).registerArtifact(request.build());
  }

  public static byte[] downloaded(Channel caller, String artifact) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ArtifactServiceGrpc.newBlockingStub(caller)
        .downloadArtifactContent(
            DownloadArtifactContentRequest.newBuilder().setArtifactId(artifact).build())
        .forEachRemaining(
            (ArtifactContent piece) -> bytes.writeBytes(piece.getData().toByteArray()));
    return bytes.toByteArray();
  }

  public static byte[] noise(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  public static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
