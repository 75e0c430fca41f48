package dev.bridle.cli.portability;

import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.admin.v1.ImportBegin;
import dev.bridle.admin.v1.ImportPass;
import dev.bridle.admin.v1.ImportPurpose;
import dev.bridle.admin.v1.ImportRequest;
import dev.bridle.admin.v1.ImportResponse;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.admin.v1.PortabilityServiceGrpc;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Sends a file for each pass that the server requests, at most 4 MiB ahead of what the server has
 * processed.
 */
final class ImportSender implements StreamObserver<ImportResponse> {
  private static final int PIECE_BYTES = 64 * 1024;
  private static final long AHEAD_BYTES = 4 << 20;

  private final Path file;
  private final ProgressLine progress;
  private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
  private boolean heard;
  private long acknowledged;

  ImportSender(Path file, ProgressLine progress) {
    this.file = file;
    this.progress = progress;
  }

  /** A message of the server: a response, or the failure of the call. */
  private record Reply(Optional<ImportResponse> answer, Optional<Throwable> failure) {}

  ImportSummary send(Channel channel, ImportBegin begin) throws IOException {
    StreamObserver<ImportRequest> to = PortabilityServiceGrpc.newStub(channel).import_(this);
    to.onNext(ImportRequest.newBuilder().setBegin(begin).build());
    try {
      while (true) {
        ImportResponse answer = next();
        switch (answer.getSaidCase()) {
          case SEND -> pass(to, answer.getSend());
          case DONE -> {
            to.onCompleted();
            return answer.getDone();
          }
          default -> acknowledged = answer.getProgress();
        }
      }
    } catch (IOException | RuntimeException e) {
      to.onError(Status.CANCELLED.asRuntimeException());
      throw e;
    }
  }

  private void pass(StreamObserver<ImportRequest> to, ImportPass pass) throws IOException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      in.position(pass.getOffset());
      acknowledged = pass.getOffset();
      byte[] piece = new byte[PIECE_BYTES];
      int read = in.read(ByteBuffer.wrap(piece));
      while (read >= 0) {
        to.onNext(
            ImportRequest.newBuilder()
                .setData(UnsafeByteOperations.unsafeWrap(Arrays.copyOf(piece, read)))
                .build());
        progress.at(doing(pass.getPurpose()), acknowledged, OptionalLong.of(in.size()));
        while (in.position() - acknowledged > AHEAD_BYTES) {
          acknowledged = next().getProgress();
        }
        read = in.read(ByteBuffer.wrap(piece));
      }
    }
    to.onNext(ImportRequest.newBuilder().setEndOfFile(true).build());
  }

  private static String doing(ImportPurpose purpose) {
    return switch (purpose) {
      case IMPORT_PURPOSE_LOAD -> "loading";
      case IMPORT_PURPOSE_TAKE_OVER -> "taking over";
      default -> "checking";
    };
  }

  private ImportResponse next() {
    try {
      Reply next = replies.take();
      if (next.failure().isPresent()) {
        throw failed(next.failure().get());
      }
      heard = true;
      return next.answer().orElseThrow();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "The import was interrupted.", e);
    }
  }

  /** Distinguishes a server that was never reached from a lost connection. */
  private RuntimeException failed(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    Optional<Integer> notVerified = ImportVerdict.exitCode(failure);
    if (notVerified.isPresent()) {
      return new CommandFailed(
          notVerified.get(),
          Optional.ofNullable(status.getDescription()).orElse("The file does not verify."),
          failure);
    }
    if (!heard || status.getCode() != Status.Code.UNAVAILABLE) {
      return failure instanceof StatusRuntimeException known
          ? known
          : new StatusRuntimeException(status);
    }
    return new CommandFailed(
        ExitCodes.FAILED,
        "The connection to the server was lost during the import. Run the same command again to"
            + " continue where"
            + " it stopped.",
        failure);
  }

  @Override
  public void onNext(ImportResponse response) {
    replies.add(new Reply(Optional.of(response), Optional.empty()));
  }

  @Override
  public void onError(Throwable failure) {
    replies.add(new Reply(Optional.empty(), Optional.of(failure)));
  }

  @Override
  public void onCompleted() {
    replies.add(
        new Reply(
            Optional.empty(),
            Optional.of(
                Status.INTERNAL.withDescription("The import ended early.").asRuntimeException())));
  }
}
