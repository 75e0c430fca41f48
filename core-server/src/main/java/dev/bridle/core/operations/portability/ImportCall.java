package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.ImportBegin;
import dev.bridle.admin.v1.ImportPass;
import dev.bridle.admin.v1.ImportRequest;
import dev.bridle.admin.v1.ImportResponse;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.operations.portability.file.DamagedFileException;
import dev.bridle.proof.key.KeySet;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Feeds an import from its call. Requests one message at a time, so that a fast client is throttled
 * and not buffered in memory.
 */
final class ImportCall implements StreamObserver<ImportRequest> {
  private static final long REPORT_BYTES = 1 << 20;

  private final BiFunction<ImportOptions, byte[], ImportRun> runs;
  private final ServerCallStreamObserver<ImportResponse> call;
  private Optional<ImportRun> run = Optional.empty();
  private long taken;
  private long reported;
  private boolean done;

  /**
   * Creates the receiver of a call.
   *
   * @param runs creates the import, from its options and the SHA-256 of its file
   */
  ImportCall(
      BiFunction<ImportOptions, byte[], ImportRun> runs,
      ServerCallStreamObserver<ImportResponse> call) {
    this.runs = runs;
    this.call = call;
  }

  @Override
  public void onNext(ImportRequest request) {
    if (done) {
      return;
    }
    try {
      switch (request.getPieceCase()) {
        case BEGIN -> begin(request.getBegin());
        case DATA -> take(request.getData().toByteArray());
        case END_OF_FILE -> next(running().end());
        default -> throw Entries.invalidFile("a message is empty");
      }
    } catch (DamagedFileException e) {
      throw Entries.invalidFile(e.getMessage());
    }
    call.request(1);
  }

  private void begin(ImportBegin begin) {
    if (run.isPresent()) {
      throw ProtocolException.invalid("begin", "must be the first message, and sent once");
    }
    ImportRun begun =
        runs.apply(
            new ImportOptions(
                begin.getTenantId(),
                begin.getTakeOver(),
                begin.getKeepWorkspaces(),
                keys(begin.getKeys()),
                begin.getUnverified()),
            begin.getSha256().toByteArray());
    run = Optional.of(begun);
    next(begun.begin());
  }

  private static KeySet keys(ByteString document) {
    if (document.isEmpty()) {
      return KeySet.EMPTY;
    }
    try {
      KeySet keys = KeySet.parse(document.toByteArray());
      if (keys.keys().isEmpty()) {
        throw ProtocolException.invalid("keys", "has no Ed25519 key");
      }
      return keys;
    } catch (IllegalArgumentException e) {
      throw ProtocolException.invalid("keys", "is no JWK set of Ed25519 public keys");
    }
  }

  private void take(byte[] data) {
    running().take(data);
    taken += data.length;
    if (taken - reported >= REPORT_BYTES) {
      reported = taken;
      call.onNext(ImportResponse.newBuilder().setProgress(taken).build());
    }
  }

  private void next(Optional<ImportRun.Pass> pass) {
    if (pass.isPresent()) {
      taken = pass.get().offset();
      reported = taken;
      call.onNext(
          ImportResponse.newBuilder()
              .setSend(
                  ImportPass.newBuilder()
                      .setPurpose(pass.get().purpose())
                      .setOffset(pass.get().offset()))
              .build());
    } else {
      done = true;
      call.onNext(ImportResponse.newBuilder().setDone(running().summary()).build());
      call.onCompleted();
    }
  }

  private ImportRun running() {
    return run.orElseThrow(() -> ProtocolException.invalid("begin", "must be the first message"));
  }

  /** Ends the import. Loaded data stays, and a later import of the same file continues there. */
  @Override
  public void onError(Throwable cancelled) {
    done = true;
  }

  @Override
  public void onCompleted() {
    if (!done) {
      throw Entries.invalidFile("it was not sent completely");
    }
  }
}
