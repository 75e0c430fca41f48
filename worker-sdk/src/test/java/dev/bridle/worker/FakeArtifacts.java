package dev.bridle.worker;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.ArtifactContent;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.DownloadArtifactContentRequest;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Artifacts in memory, given out in pieces. */
final class FakeArtifacts extends ArtifactServiceGrpc.ArtifactServiceImplBase {
  private static final int PIECE = 64 * 1024;
  private final Map<String, ByteString> contents = new ConcurrentHashMap<>();

  void put(String id, byte[] content) {
    contents.put(id, ByteString.copyFrom(content));
  }

  @Override
  public void downloadArtifactContent(
      DownloadArtifactContentRequest request, StreamObserver<ArtifactContent> response) {
    ByteString content = contents.get(request.getArtifactId());
    if (content == null) {
      response.onError(FakeCore.refusal(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, Status.NOT_FOUND));
      return;
    }
    for (int from = 0; from < content.size(); from += PIECE) {
      ByteString piece = content.substring(from, Math.min(content.size(), from + PIECE));
      response.onNext(ArtifactContent.newBuilder().setData(piece).build());
    }
    response.onCompleted();
  }
}
