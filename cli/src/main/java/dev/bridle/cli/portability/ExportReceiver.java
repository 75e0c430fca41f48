package dev.bridle.cli.portability;

import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ExportResponse;
import dev.bridle.admin.v1.PortabilityServiceGrpc;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;

/** Asks for an export, and writes to a part what comes. */
final class ExportReceiver {
  private final ProgressLine progress;

  ExportReceiver(ProgressLine progress) {
    this.progress = progress;
  }

  /**
   * Receives all of an export.
   *
   * @throws CommandFailed where it broke off after some of it had come
   */
  void receive(Channel channel, ExportRequest request, PartFile part) throws IOException {
    long before = part.size();
    try {
      Iterator<ExportResponse> pieces =
          PortabilityServiceGrpc.newBlockingStub(channel).export(request);
      while (pieces.hasNext()) {
        part.write(pieces.next().getData().asReadOnlyByteBuffer());
        progress.at("exporting", part.size(), OptionalLong.empty());
      }
    } catch (StatusRuntimeException e) {
      if (part.size() == 0) {
        part.delete();
        throw e;
      }
      if (part.size() == before) {
        throw e;
      }
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The export broke off ("
              + Optional.ofNullable(e.getStatus().getDescription()).orElse(e.getMessage())
              + "); "
              + part.path()
              + " holds what has come: add --resume to go on.",
          e);
    }
  }
}
