package dev.bridle.cli.portability;

import com.google.protobuf.ByteString;
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

/** Requests an export and writes the received data to a part file. */
final class ExportReceiver {
  private final ProgressLine progress;

  ExportReceiver(ProgressLine progress) {
    this.progress = progress;
  }

  /**
   * Receives a whole export.
   *
   * @return what the server signs of it; empty if it can't
   * @throws CommandFailed if the export was interrupted
   */
  Optional<byte[]> receive(Channel channel, ExportRequest request, PartFile part)
      throws IOException {
    long before = part.size();
    try {
      Iterator<ExportResponse> pieces =
          PortabilityServiceGrpc.newBlockingStub(channel).export(request);
      ByteString signed = ByteString.EMPTY;
      while (pieces.hasNext()) {
        ExportResponse piece = pieces.next();
        part.write(piece.getData().asReadOnlyByteBuffer());
        signed = piece.getSigned();
        progress.at("exporting", part.size(), OptionalLong.empty());
      }
      return Optional.of(signed).filter(bytes -> !bytes.isEmpty()).map(ByteString::toByteArray);
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
          "The export was interrupted ("
              + Optional.ofNullable(e.getStatus().getDescription()).orElse(e.getMessage())
              + "); "
              + part.path()
              + " contains the data received so far. Add --resume to continue.",
          e);
    }
  }
}
