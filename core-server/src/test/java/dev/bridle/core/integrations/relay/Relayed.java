package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.artifact;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.core.Refusal;
import dev.bridle.core.server.WithCore;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/** A core with an enforcer and the phones of two people, each with a credential of its own. */
abstract class Relayed extends WithCore {
  protected RelayClient admin;
  protected RelayClient enforcer;
  protected RelayClient ada;
  protected RelayClient ben;

  @BeforeEach
  final void meet() {
    admin = new RelayClient(core.as("root", List.of("harp:admin"), List.of()));
    enforcer = new RelayClient(core.as("gate", List.of("harp:enforce"), List.of()));
    ada = new RelayClient(core.as("ada-phone", List.of("harp:approve"), List.of()));
    ben = new RelayClient(core.as("ben-phone", List.of("harp:approve"), List.of()));
    admin.approver("ada", "ada-phone");
    admin.approver("ben", "ben-phone");
  }

  /** Returns a time to decide that is long enough. */
  static Instant soon() {
    return Instant.now().plusSeconds(600);
  }

  /** Submits a request to both people. */
  final JsonNode submit(String request) {
    return enforcer.submit(artifact("gate-1", request, soon()));
  }

  /** Checks that a call is refused with a code, and HARP's. */
  static void assertRefused(ErrorCode code, String harp, String reason, ThrowingCallable call) {
    ErrorDetail detail = Refusal.of(call);
    assertThat(detail.getCode()).as("code of %s", detail).isEqualTo(code);
    assertThat(detail.getDetails().toStringUtf8())
        .contains("\"harp_code\":\"" + harp + "\"", "\"reason\":\"" + reason + "\"");
  }

  static void assertNotFound(ThrowingCallable call) {
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "HARP_ERR_TRANSPORT", "not_found", call);
  }
}
