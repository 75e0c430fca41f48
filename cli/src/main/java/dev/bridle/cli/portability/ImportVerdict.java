package dev.bridle.cli.portability;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.verify.Verdict;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;

/** Reads from a server's refusal of a file whether it is because the file does not verify. */
final class ImportVerdict {
  private ImportVerdict() {}

  /** Returns the exit code of a file that does not verify; empty for other failures. */
  static Optional<Integer> exitCode(Throwable failure) {
    Metadata trailers = Status.trailersFromThrowable(failure);
    return Optional.ofNullable(trailers)
        .flatMap(there -> Optional.ofNullable(there.get(ErrorMapper.DETAIL)))
        .flatMap(ImportVerdict::verdict)
        .map(
            verdict ->
                verdict.equals(Verdict.CONSISTENT.spelling())
                    ? ExitCodes.RECEIPT_NOT_COMPLETE
                    : ExitCodes.RECEIPT_NOT_VALID);
  }

  private static Optional<String> verdict(byte[] detail) {
    try {
      byte[] details = ErrorDetail.parseFrom(detail).getDetails().toByteArray();
      return details.length == 0
          ? Optional.empty()
          : Optional.of(StrictJson.parse(details).path("verdict").asText())
              .filter(verdict -> !verdict.isEmpty());
    } catch (InvalidProtocolBufferException | InvalidJsonException e) {
      return Optional.empty();
    }
  }
}
