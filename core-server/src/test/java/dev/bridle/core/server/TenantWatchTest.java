package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TenantWatchTest {
  @TempDir Path directory;
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private KeyValueStore store;
  private CoreOver core;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, Clock.systemUTC());
    core.core()
        .onTenants(
            new TenantListener() {
              @Override
              public void there(String tenant) {
                heard.add("+" + tenant);
              }

              @Override
              public void gone(String tenant) {
                heard.add("-" + tenant);
              }
            });
  }

  @AfterEach
  void stop() {
    core.close();
    store.close();
  }

  @Test
  void aTenantIsToldOnceUntilItIsDeletedAndAgainWhenItIsMadeAgain() {
    assertThat(heard).containsExactly("+default");

    make(core, "acme");
    assertThat(heard).containsExactly("+default", "+acme");
    delete(core, "acme");
    await().untilAsserted(() -> assertThat(heard).endsWith("-acme"));
    make(core, "acme");

    assertThat(heard).containsExactly("+default", "+acme", "-acme", "+acme");
  }

  @Test
  void whatAnotherProcessMakesAndDeletesIsToldToo() {
    try (CoreOver other = CoreOver.start(store, Clock.systemUTC())) {
      make(other, "acme");
      await().untilAsserted(() -> assertThat(heard).containsExactly("+default", "+acme"));
      delete(other, "acme");
      await().untilAsserted(() -> assertThat(heard).containsExactly("+default", "+acme", "-acme"));
    }
  }

  private static void make(CoreOver where, String tenant) {
    assertThat(
            AdminServiceGrpc.newBlockingStub(where.operator())
                .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId(tenant).build())
                .getSecret())
        .isNotEmpty();
  }

  private static void delete(CoreOver where, String tenant) {
    assertThat(
            TenantServiceGrpc.newBlockingStub(where.operator())
                .deleteTenant(DeleteTenantRequest.newBuilder().setTenantId(tenant).build()))
        .isNotNull();
  }
}
