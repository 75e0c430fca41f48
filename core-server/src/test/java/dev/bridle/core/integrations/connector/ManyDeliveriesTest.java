package dev.bridle.core.integrations.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.IngestRequest;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.ListTasksResponse;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes over one store take deliveries that are each sent three times. */
@Tag("slow")
class ManyDeliveriesTest {
  private static final int DELIVERIES = 1000;
  private static final int TIMES = 3;
  private static final int THREADS = 8;

  @TempDir Path directory;
  private KeyValueStore store;
  private CoreOver one;
  private CoreOver two;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    one = CoreOver.start(store, Clock.systemUTC());
    two = CoreOver.start(store, Clock.systemUTC());
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    try {
      StoredData.assertSound(store);
    } finally {
      store.close();
    }
  }

  @Test
  void eachBecomesOneTask() throws Exception {
    String vault = SampleConnectors.vault(one.of("default"));
    String session =
        SessionServiceGrpc.newBlockingStub(one.of("default"))
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
            .getId();
    Connector connector =
        SampleConnectors.made(
            one.of("default"), SampleConnectors.described(vault).setTargetSessionId(session));
    List<IngestRequest> sent = new ArrayList<>();
    for (int i = 0; i < DELIVERIES * TIMES; i++) {
      int number = i % DELIVERIES;
      sent.add(
          SampleConnectors.delivery(
              SampleConnectors.ingress(connector), "d" + number, "{\"title\":\"" + number + "\"}"));
    }
    Collections.shuffle(sent, new Random(12));

    Set<String> ids = new HashSet<>();
    int firsts = 0;
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<IngestResponse>> answers = new ArrayList<>();
      for (int i = 0; i < sent.size(); i++) {
        CoreOver core = i % 2 == 0 ? one : two;
        IngestRequest delivery = sent.get(i);
        answers.add(
            threads.submit(() -> SampleConnectors.deliver(core.core().channel(), delivery)));
      }
      for (Future<IngestResponse> answer : answers) {
        ids.add(answer.get().getDeliveryId());
        firsts += answer.get().getDuplicate() ? 0 : 1;
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(ids).hasSize(DELIVERIES);
    assertThat(firsts).isEqualTo(DELIVERIES);
    await().atMost(Duration.ofMinutes(1)).until(() -> tasks().size() >= DELIVERIES);
    assertThat(tasks().stream().map(task -> task.getMetadata().toStringUtf8()))
        .as("one task for each delivery")
        .hasSize(DELIVERIES)
        .doesNotHaveDuplicates();
  }

  private List<Task> tasks() {
    List<Task> all = new ArrayList<>();
    ListTasksRequest.Builder ask = ListTasksRequest.newBuilder().setLimit(200);
    boolean more = true;
    while (more) {
      ListTasksResponse page =
          TaskServiceGrpc.newBlockingStub(two.of("default")).listTasks(ask.build());
      all.addAll(page.getDataList());
      more = page.getPage().getHasMore();
      ask.setCursor(page.getPage().getNextCursor());
    }
    return all;
  }
}
