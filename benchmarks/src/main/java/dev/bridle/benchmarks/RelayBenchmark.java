package dev.bridle.benchmarks;

import dev.bridle.core.integrations.relay.RelayRates;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import dev.bridle.harpgateway.HarpGateway;
import dev.bridle.harpgateway.HarpGatewayOptions;
import dev.bridle.relay.v1.CreateApproverRequest;
import dev.bridle.relay.v1.RelayAdminServiceGrpc;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.List;

/**
 * How many exchanges a second a HARP relay carries from the submission of an artifact to the
 * acknowledged decision, with every commit synced; relay, enforcer and approver in one process.
 * Beside them, in the same run: the cryptography of an exchange alone, on as many threads as
 * processors, and requests that touch neither core nor storage, of which an exchange has four.
 *
 * <p>Usage: {@code RelayBenchmark [seconds per figure] [--cluster-file PATH]}.
 */
public final class RelayBenchmark {
  private static final List<Integer> CONCURRENCIES = List.of(1, 16, 64);
  private static final RelayRates UNLIMITED = new RelayRates(Integer.MAX_VALUE, Integer.MAX_VALUE);
  private static final String ENFORCER = "gate";
  private static final String APPROVER = "phone";

  private RelayBenchmark() {}

  /** Prints the figures as a table. */
  public static void main(String[] args) throws Exception {
    Target target = Target.of(args);
    Duration time = Duration.ofSeconds(target.number(0, 8));
    Table table = new Table(System.out);
    table.title("exchanges of a HARP relay on " + target + ", " + time + " a figure");
    table.head("at", "per second", "p50 ms", "p99 ms", "CPU µs");
    target.run(
        store -> {
          CoreOptions options =
              CoreOptions.DEFAULT.withListener("127.0.0.1", 0).withRelay(UNLIMITED);
          try (CoreServer core =
                  CoreServer.start(
                      store, target.embedded() ? options : options.withSharedStorage());
              HarpGateway gateway =
                  HarpGateway.start(
                      core.channel(),
                      HarpGatewayOptions.defaults()
                          .withListener(ListenerOptions.defaults().withPort(0)));
              RelayExchanges relay =
                  new RelayExchanges(gateway.baseUrl(), firstKey(core), ENFORCER, APPROVER)) {
            run(table, relay, time);
          }
        });
    System.exit(0);
  }

  private static void run(Table table, RelayExchanges relay, Duration time) throws Exception {
    int processors = Runtime.getRuntime().availableProcessors();
    Load.Result bare = ThreadLoad.run(processors, time, thread -> relay::cryptography);
    print(table, "cryptography of an exchange", processors, bare);
    for (int concurrency : CONCURRENCIES) {
      Load.Result noops = Load.run(concurrency, time, relay::noop);
      Load.Result exchanges = Load.run(concurrency, time, relay::exchange);
      print(table, "no-op", concurrency, noops);
      print(table, "exchange", concurrency, exchanges);
      table.line(
          "exchanges / cryptography alone", concurrency, exchanges.perSecond() / bare.perSecond());
      table.line(
          "exchanges / as many no-ops",
          concurrency,
          exchanges.perSecond() * RelayExchanges.REQUESTS / noops.perSecond());
    }
  }

  private static void print(Table table, String what, int concurrency, Load.Result result) {
    table.line(
        what,
        concurrency,
        result.perSecond(),
        result.p50Millis(),
        result.p99Millis(),
        result.each().cpuMicros());
  }

  /** Creates the approver, and returns the key that acts as both parties. */
  private static String firstKey(CoreServer core) {
    String key = core.firstKey().orElseThrow();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + key);
    var unused =
        RelayAdminServiceGrpc.newBlockingStub(core.channel())
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
            .createApprover(CreateApproverRequest.newBuilder().setApproverId(APPROVER).build());
    return key;
  }
}
