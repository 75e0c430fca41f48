package dev.bridle.core.integrations.relay;

import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.CoreServer;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two cores over one store, which is sound at the end of each test, with approvers that belong to
 * one actor each.
 */
abstract class TwoCores {
  @TempDir Path directory;
  final ExecutorService threads = Executors.newCachedThreadPool();
  List<RelayClient> cores;
  private KeyValueStore store;
  private CoreOver one;
  private CoreOver two;

  /** Returns how many approvers there are, called {@code approver-0} and so on. */
  abstract int approvers();

  /** Returns a client of a core, with the credential of one approver and nobody else. */
  final RelayClient asApprover(int core, int approver) {
    CoreOver at = core == 0 ? one : two;
    return new RelayClient(at.as(credential(at.core(), approver)));
  }

  private static String credential(CoreServer core, int approver) {
    return core.processCredential(Tenants.DEFAULT, "person-" + approver, Set.of("harp:approve"));
  }

  @BeforeEach
  final void start() {
    store = SuiteStore.open(directory);
    one = CoreOver.start(store, Clock.systemUTC());
    two = CoreOver.start(store, Clock.systemUTC());
    cores =
        List.of(new RelayClient(one.of(Tenants.DEFAULT)), new RelayClient(two.of(Tenants.DEFAULT)));
    for (int i = 0; i < approvers(); i++) {
      cores.get(0).approver("approver-" + i, "person-" + i);
    }
  }

  @AfterEach
  final void stop() {
    threads.shutdownNow();
    one.close();
    two.close();
    StoredData.assertSound(store);
    store.close();
  }
}
