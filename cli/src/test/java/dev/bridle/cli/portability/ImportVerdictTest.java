package dev.bridle.cli.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.core.kernel.error.ProtocolException;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

/** The exit code of an import says whether the file is wrong, or only of unknown origin. */
class ImportVerdictTest {
  private static Throwable refused(ProtocolException why) {
    return ErrorMapper.status(ErrorMapper.detail(why, "request"));
  }

  private static ProtocolException policy() {
    return ProtocolException.of(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "It does not verify.");
  }

  @Test
  void aFileThatContradictsItselfIsNotValid() {
    assertThat(ImportVerdict.exitCode(refused(policy().with("verdict", "invalid"))))
        .contains(ExitCodes.RECEIPT_NOT_VALID);
  }

  @Test
  void aFileOfUnknownOriginIsNotComplete() {
    assertThat(ImportVerdict.exitCode(refused(policy().with("verdict", "consistent"))))
        .contains(ExitCodes.RECEIPT_NOT_COMPLETE);
  }

  @Test
  void otherRefusalsHaveNoVerdict() {
    assertThat(ImportVerdict.exitCode(refused(policy()))).isEmpty();
    assertThat(ImportVerdict.exitCode(refused(policy().with("conflicts", 2)))).isEmpty();
    assertThat(ImportVerdict.exitCode(Status.UNAVAILABLE.asRuntimeException())).isEmpty();
  }
}
