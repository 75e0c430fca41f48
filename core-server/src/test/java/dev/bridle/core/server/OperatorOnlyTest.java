package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.admin.v1.ListTenantsRequest;
import dev.bridle.admin.v1.Retention;
import dev.bridle.admin.v1.SetRetentionRequest;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A core that is started for one piece of an operator's work. */
final class OperatorOnlyTest {
  private static final String OPERATOR = "the operator's secret";

  @TempDir Path directory;

  @Test
  void whatNobodyAskedForStaysAsItWas() {
    try (TestCore core = TestCore.start(directory, TaskOptions.DEFAULT)) {
      String own = core.core().processCredential("default", "demo", Set.of("workers:lease"));
      TestWorker worker = new TestWorker(core.as(own), "", "own");
      core.submit(core.newSession());
      worker.want(1);
      assertThat(worker.lease().getAttempt()).isEqualTo(1);
      core.core().admit(OPERATOR);
      assertThat(
              TenantServiceGrpc.newBlockingStub(core.as(OPERATOR))
                  .setRetention(
                      SetRetentionRequest.newBuilder()
                          .setTenantId("default")
                          .setRetention(Retention.newBuilder().setMaxEvents(1))
                          .build())
                  .hasTenant())
          .isTrue();
    }
    try (KeyValueStore store = SuiteStore.open(directory)) {
      List<String> before = rows(store);
      assertThat(tenants(store)).isEqualTo(1);
      assertThat(rows(store)).isEqualTo(before);
    }
  }

  @Test
  void newStorageGetsNeitherTenantNorKey() {
    try (KeyValueStore store = SuiteStore.open(directory)) {
      assertThat(tenants(store)).isZero();
      boolean keys = store.read(tr -> new Installation(KeyLayout.root()).hasCredentials(tr));
      assertThat(keys).isFalse();
    }
  }

  private static int tenants(KeyValueStore store) {
    CoreOptions options = CoreOptions.DEFAULT.withListener("127.0.0.1", 0).forOperatorOnly();
    try (CoreServer core = CoreServer.start(store, options)) {
      core.admit(OPERATOR);
      return TenantServiceGrpc.newBlockingStub(CoreOver.as(core, OPERATOR))
          .listTenants(ListTenantsRequest.getDefaultInstance())
          .getTenantsCount();
    }
  }

  private static List<String> rows(KeyValueStore store) {
    HexFormat hex = HexFormat.of();
    return store
        .read(tr -> tr.getRange(new KeyRange(new byte[0], new byte[] {(byte) 0xFF}), 10_000))
        .stream()
        .map(row -> hex.formatHex(row.key()) + "=" + hex.formatHex(row.value()))
        .toList();
  }
}
