package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactContent;
import dev.bridle.artifact.v1.ArtifactContentInfo;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.UploadArtifactContentRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uploads and downloads of artifact content. */
final class ArtifactBytesIT {

  private static final String PATH = "/v1/artifacts/a1/content";
  private static final int LIMIT = 3_000_000;

  private static GatewayFixture fixture;

  private final List<UploadArtifactContentRequest> pieces = new CopyOnWriteArrayList<>();
  private final AtomicBoolean broken = new AtomicBoolean();

  @BeforeAll
  static void start() {
    fixture =
        new GatewayFixture(
            options ->
                options
                    .withMaxArtifactBytes(LIMIT)
                    .withMaxJsonBytes(1000)
                    .withSlowReaderTimeout(Duration.ofMillis(400)));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void takeUploads() {
    fixture.core.upload(ArtifactServiceGrpc.getUploadArtifactContentMethod(), this::receiver);
  }

  @Test
  void contentComesWithItsLengthAndNeverAsAPage() {
    byte[] content = random(1_000_000);
    fixture.core.stream(
        ArtifactServiceGrpc.getDownloadArtifactContentMethod(),
        (request, observer) -> {
          observer.onNext(info(content.length));
          for (int from = 0; from < content.length; from += 100_000) {
            observer.onNext(
                ArtifactContent.newBuilder()
                    .setData(ByteString.copyFrom(content, from, 100_000))
                    .build());
          }
          observer.onCompleted();
        });

    var response =
        fixture.send(
            fixture.request(PATH).header("Accept", "application/octet-stream"),
            HttpResponse.BodyHandlers.ofByteArray());

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(content);
    assertThat(response.headers().firstValueAsLong("content-length")).hasValue(1_000_000);
    assertThat(response.headers().firstValue("content-type")).hasValue("application/octet-stream");
    assertThat(response.headers().firstValue("x-content-type-options")).hasValue("nosniff");
    assertThat(response.headers().firstValue("content-disposition")).hasValue("attachment");
  }

  @Test
  void contentThatIsNotThereIsAnOrdinaryAnswer() {
    fixture.core.stream(
        ArtifactServiceGrpc.getDownloadArtifactContentMethod(),
        (request, observer) ->
            observer.onError(
                FakeCore.failure(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "No content yet.")));

    assertThat(fixture.get(PATH).statusCode()).isEqualTo(404);
  }

  @Test
  void aDownloadThatFailsHalfwayIsBrokenOff() {
    fixture.core.stream(
        ArtifactServiceGrpc.getDownloadArtifactContentMethod(),
        (request, observer) -> {
          observer.onNext(info(100));
          observer.onNext(
              ArtifactContent.newBuilder().setData(ByteString.copyFromUtf8("half")).build());
          observer.onError(Status.UNAVAILABLE.asRuntimeException());
        });

    assertThatThrownBy(() -> fixture.get(PATH)).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void aDownloadThatNobodyReadsIsCutOff() throws IOException {
    AtomicInteger sent = new AtomicInteger();
    fixture.core.stream(
        ArtifactServiceGrpc.getDownloadArtifactContentMethod(),
        (request, observer) -> observer.setOnReadyHandler(() -> fill(observer, sent)));
    long before = fixture.gateway.streams().slowReaders();

    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.gateway.port())) {
      socket.getOutputStream().write(head("GET", "").getBytes(StandardCharsets.US_ASCII));
      await().until(() -> fixture.gateway.streams().slowReaders() == before + 1);
      assertThat(sent.get()).isLessThan(1000);
    }
  }

  @Test
  void anUploadReachesTheCoreInPiecesUnderItsNameAndIsAnswered() {
    byte[] content = random(2_000_000);

    var response = fixture.send(fixture.request(PATH).PUT(BodyPublishers.ofByteArray(content)));

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(GatewayFixture.json(response).get("id").textValue()).isEqualTo("a1");
    assertThat(received()).isEqualTo(content);
    assertThat(pieces).allSatisfy(p -> assertThat(p.getData().size()).isLessThanOrEqualTo(262_144));
    assertThat(pieces.subList(1, pieces.size())).extracting("artifactId").containsOnly("");
  }

  @Test
  void anEmptyUploadStillNamesItsArtifact() {
    var response = fixture.send(fixture.request(PATH).PUT(BodyPublishers.noBody()));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(pieces).hasSize(1);
    assertThat(pieces.get(0).getArtifactId()).isEqualTo("a1");
  }

  @Test
  void anUploadAboveTheLimitIsRefusedWithAndWithoutItsLength() {
    byte[] content = random(LIMIT + 1);

    var known = fixture.send(fixture.request(PATH).PUT(BodyPublishers.ofByteArray(content)));
    assertThat(known.statusCode()).isEqualTo(413);
    assertThat(pieces).isEmpty();

    var unknown =
        fixture.send(
            fixture
                .request(PATH)
                .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(content))));
    assertThat(unknown.statusCode()).isEqualTo(413);
    assertThat(GatewayFixture.error(unknown).get("code").textValue())
        .isEqualTo("payload_too_large");
    await().untilTrue(broken);
  }

  @Test
  void anUploadThatTheCoreRefusesIsAnsweredAtOnce() {
    fixture.core.upload(
        ArtifactServiceGrpc.getUploadArtifactContentMethod(),
        observer -> {
          observer.onError(FakeCore.failure(ErrorCode.ERROR_CODE_CONFLICT, "It has content."));
          return receiver(observer);
        });

    var response =
        fixture.send(fixture.request(PATH).PUT(BodyPublishers.ofByteArray(random(100_000))));

    assertThat(response.statusCode()).isEqualTo(409);
  }

  @Test
  void anUploaderThatGoesAwayBreaksTheCallOff() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.gateway.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(head("PUT", "Content-Length: 1000\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(new byte[10]);
      await().until(() -> !pieces.isEmpty());
    }

    await().untilTrue(broken);
  }

  @Test
  void aCoreThatIsSlowToReadSlowsTheUploadDown() throws Exception {
    List<ServerCallStreamObserver<Artifact>> calls = new ArrayList<>();
    fixture.core.upload(
        ArtifactServiceGrpc.getUploadArtifactContentMethod(),
        observer -> {
          observer.disableAutoRequest();
          calls.add(observer);
          return receiver(observer);
        });
    byte[] content = random(2_500_000);
    var response =
        CompletableFuture.supplyAsync(
            () -> fixture.send(fixture.request(PATH).PUT(BodyPublishers.ofByteArray(content))));

    await().until(() -> calls.size() == 1);
    calls.get(0).request(1);
    await().until(() -> pieces.size() == 1);
    assertThat(response).isNotDone();
    calls.get(0).request(1_000_000);

    assertThat(response.get().statusCode()).isEqualTo(200);
    assertThat(received()).isEqualTo(content);
  }

  private StreamObserver<UploadArtifactContentRequest> receiver(
      ServerCallStreamObserver<Artifact> observer) {
    return new StreamObserver<>() {
      @Override
      public void onNext(UploadArtifactContentRequest piece) {
        pieces.add(piece);
      }

      @Override
      public void onError(Throwable cause) {
        broken.set(true);
      }

      @Override
      public void onCompleted() {
        observer.onNext(Artifact.newBuilder().setId(pieces.get(0).getArtifactId()).build());
        observer.onCompleted();
      }
    };
  }

  private byte[] received() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    pieces.forEach(piece -> all.writeBytes(piece.getData().toByteArray()));
    return all.toByteArray();
  }

  private static void fill(ServerCallStreamObserver<ArtifactContent> observer, AtomicInteger sent) {
    ArtifactContent piece =
        ArtifactContent.newBuilder().setData(ByteString.copyFrom(new byte[64 << 10])).build();
    while (observer.isReady() && !observer.isCancelled()) {
      sent.incrementAndGet();
      observer.onNext(piece);
    }
  }

  private static ArtifactContent info(long size) {
    return ArtifactContent.newBuilder()
        .setInfo(ArtifactContentInfo.newBuilder().setSize(size).setMimeType("text/html"))
        .build();
  }

  private static String head(String method, String more) {
    return method
        + " "
        + PATH
        + " HTTP/1.1\r\nHost: localhost\r\nHarn-Agents-Protocol-Version: "
        + GatewayFixture.VERSION
        + "\r\nAuthorization: Bearer key\r\n"
        + more
        + "\r\n";
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(7).nextBytes(bytes);
    return bytes;
  }
}
