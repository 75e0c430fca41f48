package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.work.oauth.external.IssuerFile;
import org.junit.jupiter.api.Test;

/** People whom another issuer vouches for are others, though nobody here knows their names. */
class OutsideSeparationTest extends AskedTasks {
  @Override
  protected CoreOptions core(CoreOptions options) {
    AccessOptions access =
        options
            .access()
            .withIssuers(
                IssuerFile.parse(
                    "{\"issuers\":[{\"issuer\":\"https://id.example\",\"audience\":\"bridle\","
                        + "\"jwks_url\":\"https://id.example/keys\",\"tenant\":\"default\"}]}",
                    directory));
    return options.withAccess(access);
  }

  @Test
  void whoseWorkerAsksIsNotAloneWhereTheyCanAnswer() {
    String request = ask(begin(), "1", "deploy").getRequestId();

    assertThat(
            Refusal.of(
                    () ->
                        people().respondPermissionRequest(said(request).setApproved(true).build()))
                .getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
  }
}
