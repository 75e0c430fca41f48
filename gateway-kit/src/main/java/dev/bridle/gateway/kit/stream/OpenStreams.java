package dev.bridle.gateway.kit.stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open response streams: counts them, and ends them when the gateway stops. */
public final class OpenStreams {

  private final Set<ResponseWriter<?>> writers = ConcurrentHashMap.newKeySet();
  private final Counter slowReaders;
  private final UnsentBytes unsent;

  /**
   * Publishes the metrics {@code open}, {@code slow_readers} and {@code unsent_bytes}.
   *
   * @param metrics the name before theirs, such as {@code bridle.gateway.streams}
   * @param unsent the bytes that wait for clients
   */
  public OpenStreams(MeterRegistry meters, String metrics, UnsentBytes unsent) {
    this.unsent = unsent;
    Gauge.builder(metrics + ".unsent_bytes", unsent, UnsentBytes::used)
        .description("Bytes that wait for clients to read them")
        .register(meters);
    Gauge.builder(metrics + ".open", writers, Set::size)
        .description("Response streams that are open")
        .register(meters);
    this.slowReaders =
        Counter.builder(metrics + ".slow_readers")
            .description("Streams closed because their reader did not read")
            .register(meters);
  }

  /** Returns the number of open streams. */
  public int open() {
    return writers.size();
  }

  /** Returns the bytes that wait for clients. */
  public UnsentBytes unsent() {
    return unsent;
  }

  /** Returns the number of streams closed because their client did not read. */
  public long slowReaders() {
    return (long) slowReaders.count();
  }

  /** Ends all streams with an error that the server is stopping. */
  public void drain() {
    writers.forEach(ResponseWriter::drain);
  }

  void add(ResponseWriter<?> writer) {
    writers.add(writer);
  }

  void remove(ResponseWriter<?> writer) {
    writers.remove(writer);
  }

  void countSlowReader() {
    slowReaders.increment();
  }
}
