package dev.bridle.core.work.artifact;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.ArtifactContent;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.DownloadArtifactContentRequest;
import dev.bridle.core.CoreFixture;
import dev.bridle.storage.layer.BlobStore;
import io.grpc.Channel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ArtifactDownloadTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;
  private String id;

  @BeforeEach
  void anArtifact() {
    owner = core.owner();
    id =
        Uploading.registered(owner, Uploading.described().setWorkspaceId(CoreFixture.WORKSPACE))
            .getId();
  }

  @Test
  void theFirstPieceTellsSizeTypeAndHash() {
    byte[] content = Uploading.noise(100_000);
    Uploading.upload(owner, id, content);

    ArtifactContent first =
        ArtifactServiceGrpc.newBlockingStub(owner).downloadArtifactContent(named()).next();

    assertThat(first.getData().isEmpty()).isTrue();
    assertThat(first.getInfo().getSize()).isEqualTo(100_000);
    assertThat(first.getInfo().getMimeType()).isEqualTo("text/csv");
    assertThat(first.getInfo().getSha256()).isEqualTo(Uploading.sha256(content));
  }

  @Test
  void beforeTheUploadThereIsNothingToDownload() {
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> Uploading.downloaded(owner, id));
  }

  @Test
  void anArtifactThatTheCallerDoesNotReachIsNotThere() {
    Uploading.upload(owner, id, Uploading.noise(10));

    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "",
        () -> Uploading.downloaded(core.of(CoreFixture.TENANT, "another"), id));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "",
        () -> Uploading.downloaded(core.of("another"), id));
  }

  @Test
  void theServerReadsAheadOfASlowReaderByAFewChunksOnly() throws Exception {
    int chunks = 60;
    Uploading.upload(owner, id, Uploading.noise(chunks * BlobStore.CHUNK_BYTES));
    core.calls.reset();
    SlowReader reader = new SlowReader();

    ArtifactServiceGrpc.newStub(owner).downloadArtifactContent(named(), reader);

    assertThat(reader.ahead()).hasSize(1 + chunks).allMatch(ahead -> ahead <= 5);
  }

  private DownloadArtifactContentRequest named() {
    return DownloadArtifactContentRequest.newBuilder().setArtifactId(id).build();
  }

  /** Takes one piece at a time, and notes how many more the server has sent by then. */
  private final class SlowReader
      implements ClientResponseObserver<DownloadArtifactContentRequest, ArtifactContent> {
    private final CompletableFuture<List<Integer>> ended = new CompletableFuture<>();
    private final List<Integer> ahead = new CopyOnWriteArrayList<>();
    private ClientCallStreamObserver<DownloadArtifactContentRequest> call;

    @Override
    public void beforeStart(ClientCallStreamObserver<DownloadArtifactContentRequest> started) {
      call = started;
      call.disableAutoRequestWithInitial(1);
    }

    @Override
    public void onNext(ArtifactContent piece) {
      ahead.add(core.calls.sent() - ahead.size() - 1);
      call.request(1);
    }

    @Override
    public void onError(Throwable failure) {
      ended.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      ended.complete(ahead);
    }

    List<Integer> ahead() throws Exception {
      return ended.get(60, TimeUnit.SECONDS);
    }
  }
}
