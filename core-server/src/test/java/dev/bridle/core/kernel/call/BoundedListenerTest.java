package dev.bridle.core.kernel.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.server.WithCore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The gRPC port of a core. */
class BoundedListenerTest extends WithCore {
  @Test
  void callsThatNeedNoCredentialAndDoNotEndAreClosedAndOthersAreServed() throws Exception {
    List<HalfRequest> calls = new ArrayList<>();
    try {
      for (int i = 0; i < 12; i++) {
        calls.add(
            HalfRequest.begin(
                core.core().grpcPort(),
                "/bridle.discovery.v1.DiscoveryService/GetServerIndex",
                4 << 20));
      }
      await().until(() -> calls.stream().filter(call -> call.closed().isDone()).count() >= 10);

      assertThat(core.newSession()).isNotEmpty();
    } finally {
      for (HalfRequest call : calls) {
        call.close();
      }
    }
  }
}
