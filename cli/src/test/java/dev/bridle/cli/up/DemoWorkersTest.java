package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.cli.admin.AdminAccess;
import dev.bridle.cli.admin.OperatorKey;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoWorkersTest {
  private static final CoreOptions OPTIONS =
      CoreOptions.DEFAULT.withListener("127.0.0.1", 0).withRetentionInterval(Duration.ofMillis(20));

  @TempDir private Path directory;

  @Test
  void aWorkerEndsWithItsTenantAndATenantThatIsMadeAgainHasOne() throws IOException {
    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
        CoreServer core = CoreServer.start(store, OPTIONS);
        TenantWorkers workers = DemoWorkers.of(core)) {
      core.admit(OperatorKey.of(directory));
      core.onTenants(workers);
      make(core, "acme");
      assertThat(workers.tenants()).containsExactlyInAnyOrder("default", "acme");

      delete(core, "acme");
      await().untilAsserted(() -> assertThat(workers.tenants()).containsExactly("default"));
      make(core, "acme");
      assertThat(workers.tenants()).containsExactlyInAnyOrder("default", "acme");
    }
  }

  private void make(CoreServer core, String tenant) throws IOException {
    assertThat(
            AdminAccess.stub(core.channel(), directory)
                .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId(tenant).build())
                .getSecret())
        .isNotEmpty();
  }

  private void delete(CoreServer core, String tenant) throws IOException {
    assertThat(
            TenantServiceGrpc.newBlockingStub(OperatorKey.on(core.channel(), directory))
                .deleteTenant(DeleteTenantRequest.newBuilder().setTenantId(tenant).build()))
        .isNotNull();
  }
}
