package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.connector.v1.IngressServiceGrpc;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The requests that a started gateway gets from its own process. */
class WarmUpIT {
  private static final int ROUNDS = 3;

  @Test
  void everyRequestIsRefusedBeforeItsBodyIsRead() {
    AtomicInteger callers = new AtomicInteger();
    AtomicInteger paths = new AtomicInteger();
    AtomicInteger sessions = new AtomicInteger();
    try (GatewayFixture fixture = new GatewayFixture()) {
      fixture.core.answer(
          AuthServiceGrpc.getGetCallerMethod(),
          request -> {
            callers.incrementAndGet();
            throw FakeCore.failure(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "The key is not known.");
          });
      fixture.core.answer(
          IngressServiceGrpc.getFindIngressMethod(),
          request -> {
            paths.incrementAndGet();
            throw FakeCore.failure(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "No such path.");
          });
      fixture.core.answer(
          SessionServiceGrpc.getCreateSessionMethod(),
          request -> Session.newBuilder().setId("session_" + sessions.incrementAndGet()).build());

      new WarmUp(fixture.gateway.baseUrl(), ROUNDS).run();
    }

    assertThat(callers).hasValueGreaterThanOrEqualTo(2 * ROUNDS);
    assertThat(paths).hasValue(ROUNDS);
    assertThat(sessions).hasValue(0);
  }

  @Test
  void aStoppedGatewayEndsIt() {
    URI url;
    try (GatewayFixture fixture = new GatewayFixture()) {
      url = fixture.gateway.baseUrl();
    }

    WarmUp warmUp = new WarmUp(url, ROUNDS);

    assertThat(warmUp).satisfies(WarmUp::run);
  }
}
