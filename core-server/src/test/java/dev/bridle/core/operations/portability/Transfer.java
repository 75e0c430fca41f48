package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ExportResponse;
import dev.bridle.admin.v1.ImportBegin;
import dev.bridle.admin.v1.ImportPass;
import dev.bridle.admin.v1.ImportPurpose;
import dev.bridle.admin.v1.ImportRequest;
import dev.bridle.admin.v1.ImportResponse;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.admin.v1.PortabilityServiceGrpc;
import dev.bridle.core.kernel.command.RequestHash;
import dev.bridle.core.operations.portability.file.FileCheck;
import dev.bridle.core.server.TestCore;
import dev.bridle.receipt.v1.GetReceiptKeysRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Exports into memory and imports from there, as an operator's command does with a file. */
final class Transfer implements StreamObserver<ImportResponse> {
  private static final String OPERATOR = "operator-secret";
  private static final int PIECE = 60_000;

  private final BlockingQueue<Object> said = new LinkedBlockingQueue<>();
  private final List<ImportPass> passes = new CopyOnWriteArrayList<>();

  private final int loadable;
  private final Runnable afterBegin;

  private Transfer() {
    this(Integer.MAX_VALUE, () -> {});
  }

  private Transfer(int loadable, Runnable afterBegin) {
    this.loadable = loadable;
    this.afterBegin = afterBegin;
  }

  static Channel operator(TestCore core) {
    core.core().admit(OPERATOR);
    return core.as(OPERATOR);
  }

  /** Exports a whole file, trailer and all. */
  static byte[] export(TestCore core, ExportRequest request) {
    return export(core, request, new byte[0]);
  }

  /** Exports what comes after {@code before}, and seals the whole file. */
  static byte[] export(TestCore core, ExportRequest request, byte[] before) {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(before);
    Optional<byte[]> signed = Optional.empty();
    for (ExportResponse piece : exporting(core, request)) {
      file.writeBytes(piece.getData().toByteArray());
      signed = Optional.of(piece.getSigned().toByteArray()).filter(bytes -> bytes.length > 0);
    }
    return sealed(file.toByteArray(), signed);
  }

  /**
   * Exports a whole file, of which the client takes the first message and the others only after
   * something has happened.
   */
  static byte[] export(TestCore core, ExportRequest request, Runnable meanwhile) {
    SlowReader reader = new SlowReader();
    PortabilityServiceGrpc.newStub(operator(core)).export(request, reader);
    ExportResponse first = reader.next().orElseThrow();
    meanwhile.run();
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    Optional<byte[]> signed = Optional.empty();
    Optional<ExportResponse> piece = Optional.of(first);
    while (piece.isPresent()) {
      file.writeBytes(piece.get().getData().toByteArray());
      signed = Optional.of(piece.get().getSigned().toByteArray()).filter(it -> it.length > 0);
      piece = reader.next();
    }
    return sealed(file.toByteArray(), signed);
  }

  /** Takes a message when it is asked to. */
  private static final class SlowReader
      implements ClientResponseObserver<ExportRequest, ExportResponse> {
    private static final Object END = new Object();

    private final BlockingQueue<Object> came = new LinkedBlockingQueue<>();
    private ClientCallStreamObserver<ExportRequest> call;

    @Override
    public void beforeStart(ClientCallStreamObserver<ExportRequest> toServer) {
      call = toServer;
      call.disableAutoRequestWithInitial(1);
    }

    Optional<ExportResponse> next() {
      try {
        Object next = came.poll(60, TimeUnit.SECONDS);
        if (next instanceof StatusRuntimeException failed) {
          throw failed;
        }
        call.request(1);
        return next instanceof ExportResponse piece ? Optional.of(piece) : Optional.empty();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void onNext(ExportResponse piece) {
      came.add(piece);
    }

    @Override
    public void onError(Throwable failure) {
      came.add(failure);
    }

    @Override
    public void onCompleted() {
      came.add(END);
    }
  }

  /** Exports the blocks of a file, without the trailer. */
  static byte[] blocks(TestCore core, ExportRequest request) {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    exporting(core, request).forEach(piece -> file.writeBytes(piece.getData().toByteArray()));
    return file.toByteArray();
  }

  private static Iterable<ExportResponse> exporting(TestCore core, ExportRequest request) {
    return () -> PortabilityServiceGrpc.newBlockingStub(operator(core)).export(request);
  }

  /** Begins the export of a tenant without a server. */
  static ExportRun run(String tenant) {
    return ExportRun.begin(new ResumePoints(new RequestHash(new byte[32]), List.of(tenant)));
  }

  /** Adds the trailer of a file that no server has signed. */
  static byte[] sealed(byte[] blocks) {
    return sealed(blocks, Optional.empty());
  }

  /** Adds a trailer. */
  static byte[] sealed(byte[] blocks, Optional<byte[]> signed) {
    byte[] trailer = read(blocks).trailer(signed);
    byte[] file = Arrays.copyOf(blocks, blocks.length + trailer.length);
    System.arraycopy(trailer, 0, file, blocks.length, trailer.length);
    return file;
  }

  static FileCheck read(byte[] file) {
    FileCheck check = new FileCheck(block -> {});
    check.take(file, 0, file.length);
    return check;
  }

  static byte[] tenant(TestCore core) {
    return export(core, ExportRequest.getDefaultInstance());
  }

  static ImportBegin.Builder into(String tenant) {
    return ImportBegin.newBuilder().setTenantId(tenant);
  }

  static ImportSummary load(TestCore core, byte[] file) {
    return load(core, file, into("default"));
  }

  /** Imports a file with the keys of its server; a refusal is thrown. */
  static ImportSummary load(TestCore core, byte[] file, ImportBegin.Builder begin) {
    return load(operator(core), file, begin);
  }

  /** Imports a file with no other keys than those that are known already. */
  static ImportSummary loadWithoutKeys(TestCore core, byte[] file, ImportBegin.Builder begin) {
    return new Transfer().send(operator(core), file, begin, Long.MAX_VALUE);
  }

  /** Imports a file with an operator's channel and the keys of its server. */
  static ImportSummary load(Channel operator, byte[] file, ImportBegin.Builder begin) {
    return new Transfer().send(operator, file, withKeys(file, begin), Long.MAX_VALUE);
  }

  private static ImportBegin.Builder withKeys(byte[] file, ImportBegin.Builder begin) {
    try {
      return begin.setKeys(RewrittenFile.keys(file));
    } catch (RuntimeException damaged) {
      return begin; // It is refused before its keys matter.
    }
  }

  /** Imports a file that is sent only after something has happened. */
  static ImportSummary load(
      TestCore core, byte[] file, ImportBegin.Builder begin, Runnable afterBegin) {
    return new Transfer(Integer.MAX_VALUE, afterBegin)
        .send(operator(core), file, withKeys(file, begin), Long.MAX_VALUE);
  }

  /** Imports a file and goes away once it has sent so much of it to be loaded. */
  static void loadAndBreakOff(TestCore core, byte[] file, ImportBegin.Builder begin, long after) {
    new Transfer().send(operator(core), file, withKeys(file, begin), after);
  }

  /** Imports a file of which only the first part comes once it was checked. */
  static void loadCut(TestCore core, byte[] file, int cut) {
    new Transfer(cut, () -> {})
        .send(operator(core), file, withKeys(file, into("default")), Long.MAX_VALUE);
  }

  /** Returns the public keys of a core. */
  static ByteString keysOf(TestCore core) {
    return ReceiptServiceGrpc.newBlockingStub(core.owner())
        .getReceiptKeys(GetReceiptKeysRequest.getDefaultInstance())
        .getDocument();
  }

  /** Imports, and returns what the server asked for. */
  static List<ImportPass> passesOf(TestCore core, byte[] file, ImportBegin.Builder begin) {
    Transfer transfer = new Transfer();
    transfer.send(operator(core), file, withKeys(file, begin), Long.MAX_VALUE);
    return transfer.passes;
  }

  private ImportSummary send(
      Channel operator, byte[] file, ImportBegin.Builder begin, long breakAt) {
    if (begin.getSha256().isEmpty()) {
      begin.setSha256(ByteString.copyFrom(claimed(file)));
    }
    StreamObserver<ImportRequest> to = PortabilityServiceGrpc.newStub(operator).import_(this);
    to.onNext(ImportRequest.newBuilder().setBegin(begin).build());
    while (true) {
      ImportResponse answer = next();
      if (answer.hasDone()) {
        return answer.getDone();
      }
      if (!answer.hasSend()) {
        continue;
      }
      if (passes.isEmpty()) {
        afterBegin.run();
      }
      passes.add(answer.getSend());
      boolean loads = answer.getSend().getPurpose() == ImportPurpose.IMPORT_PURPOSE_LOAD;
      int at = (int) answer.getSend().getOffset();
      long end = loads ? Math.min(file.length, breakAt) : file.length;
      if (loads && loadable < file.length) {
        to.onNext(
            ImportRequest.newBuilder()
                .setData(ByteString.copyFrom(file, at, Math.min(PIECE, loadable - at)))
                .build());
        to.onNext(ImportRequest.newBuilder().setEndOfFile(true).build());
        continue;
      }
      for (; at < end; at += PIECE) {
        int length = (int) Math.min(PIECE, end - at);
        to.onNext(
            ImportRequest.newBuilder().setData(ByteString.copyFrom(file, at, length)).build());
      }
      if (end < file.length) {
        awaitTaken(to);
        return ImportSummary.getDefaultInstance();
      }
      to.onNext(ImportRequest.newBuilder().setEndOfFile(true).build());
    }
  }

  /** A message that is refused comes after all before it has been worked through. */
  private void awaitTaken(StreamObserver<ImportRequest> to) {
    to.onNext(ImportRequest.newBuilder().setEndOfFile(true).build());
    try {
      while (true) {
        next();
      }
    } catch (StatusRuntimeException refused) {
      return;
    }
  }

  private static byte[] claimed(byte[] file) {
    try {
      return read(file).end();
    } catch (RuntimeException damaged) {
      return HexFormat.of().parseHex("00".repeat(32));
    }
  }

  private ImportResponse next() {
    try {
      Object next = said.poll(60, TimeUnit.SECONDS);
      if (next instanceof ImportResponse answer) {
        return answer;
      }
      if (next instanceof StatusRuntimeException refused) {
        throw refused;
      }
      throw new AssertionError("nothing came but " + next);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void onNext(ImportResponse response) {
    said.add(response);
  }

  @Override
  public void onError(Throwable failure) {
    said.add(failure);
  }

  @Override
  public void onCompleted() {}
}
