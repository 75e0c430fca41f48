package dev.bridle.core.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryServiceGrpc;
import dev.bridle.connector.v1.InitialItems;
import dev.bridle.connector.v1.ListDeliveriesRequest;
import dev.bridle.connector.v1.PollingCursor;
import dev.bridle.core.integrations.connector.SamplePolls;
import dev.bridle.core.kernel.outbound.OutboundCalls;
import dev.bridle.core.kernel.outbound.OutboundRequest;
import dev.bridle.core.kernel.outbound.OutboundResponse;
import dev.bridle.core.server.SteppedCore;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.kit.fault.AtStep;
import dev.bridle.storage.kit.fault.Fault;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.Operation;
import dev.bridle.storage.kit.fault.Recording;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Polls of several pages with a transaction that is repeated, since its outcome was unknown. */
@Tag("slow")
@ExtendWith(QuietLog.class)
final class PollPageFaultsTest {
  private static final String POLL = "poll";

  @TempDir static Path directory;
  private static int runs;

  @TestFactory
  Stream<DynamicTest> aPageIsRequestedWithoutTheValidatorsOfThePageBefore() {
    Recording recording = new Recording();
    assertThat(pollsUnder(recording)).as("faults").isZero();
    return recording.operations().stream()
        .filter(step -> step.writes() && step.during().equals(POLL))
        .flatMap(PollPageFaultsTest::repeated)
        .map(
            plan ->
                DynamicTest.dynamicTest(
                    plan.toString(), () -> assertThat(pollsUnder(plan)).as("faults").isEqualTo(1)));
  }

  private static Stream<FaultPlan> repeated(Operation step) {
    return Stream.of(
            Fault.UNKNOWN_BUT_APPLIED,
            Fault.UNKNOWN_AND_LOST,
            Fault.CLUSTER_CHANGED_BUT_APPLIED,
            Fault.CLUSTER_CHANGED_AND_LOST)
        .map(fault -> new AtStep(step, fault));
  }

  /** Polls twice under a plan, and returns how many faults there were. */
  private static long pollsUnder(FaultPlan plan) {
    SetTime time = new SetTime();
    Pages pages = new Pages();
    try (KeyValueStore store = SuiteStore.openSteady(directory.resolve("run-" + runs++));
        FaultyStore faulty = new FaultyStore(store, plan);
        SteppedCore core = new SteppedCore(faulty, time, time::nanos, new Random(1), pages)) {
      Connector connector = connector(core);
      faulty.during(POLL);
      core.tick();
      faulty.during("next poll");
      time.pass(Duration.ofMinutes(1));
      core.tick();

      assertThat(pages.requests)
          .containsExactly("/", "/?after=b", "/?after=c", "/?after=c if modified");
      assertThat(keys(core, connector)).containsExactlyInAnyOrder("id:1", "id:2");
      return faulty.faults();
    }
  }

  private static Connector connector(SteppedCore core) {
    return ConnectorServiceGrpc.newBlockingStub(core.owner())
        .createConnector(
            SamplePolls.described(
                    SamplePolls.list("https://news.example/")
                        .setInitial(InitialItems.INITIAL_ITEMS_ALL)
                        .setCursor(
                            PollingCursor.newBuilder().setPointer("/next").setParameter("after")))
                .build());
  }

  private static List<String> keys(SteppedCore core, Connector connector) {
    ListDeliveriesRequest request =
        ListDeliveriesRequest.newBuilder().setConnectorId(connector.getId()).build();
    return DeliveryServiceGrpc.newBlockingStub(core.owner())
        .listDeliveries(request)
        .getDataList()
        .stream()
        .map(Delivery::getDedupeKey)
        .toList();
  }

  /** Answers with pages that were all modified at the same time. */
  private static final class Pages implements OutboundCalls {
    private static final String MODIFIED = "Sat, 21 Nov 2026 09:00:00 GMT";

    private final List<String> requests = new ArrayList<>();

    @Override
    public CompletableFuture<OutboundResponse> send(OutboundRequest request) {
      return send(request, Integer.MAX_VALUE);
    }

    @Override
    public CompletableFuture<OutboundResponse> send(OutboundRequest request, int maxAnswerBytes) {
      boolean known = MODIFIED.equals(request.headers().get("if-modified-since"));
      requests.add(request.url().path() + (known ? " if modified" : ""));
      return CompletableFuture.completedFuture(
          known
              ? new OutboundResponse(304, Map.of(), new byte[0], false)
              : new OutboundResponse(
                  200,
                  Map.of("last-modified", List.of(MODIFIED)),
                  page(request.url().path()).getBytes(UTF_8),
                  false));
    }

    private static String page(String path) {
      return switch (path) {
        case "/" -> "{\"items\":[{\"id\":1}],\"next\":\"b\"}";
        case "/?after=b" -> "{\"items\":[{\"id\":2}],\"next\":\"c\"}";
        default -> "{\"items\":[],\"next\":\"c\"}";
      };
    }
  }
}
