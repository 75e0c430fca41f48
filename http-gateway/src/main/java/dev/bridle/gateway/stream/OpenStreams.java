package dev.bridle.gateway.stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The response streams that are open: counted, and told when the gateway stops. */
public final class OpenStreams {

  private final Set<Outlet<?>> outlets = ConcurrentHashMap.newKeySet();
  private final Counter slowReaders;

  /**
   * Publishes {@code bridle.gateway.streams.open} and {@code bridle.gateway.streams.slow_readers}.
   */
  public OpenStreams(MeterRegistry meters) {
    Gauge.builder("bridle.gateway.streams.open", outlets, Set::size)
        .description("Response streams that are open")
        .register(meters);
    this.slowReaders =
        Counter.builder("bridle.gateway.streams.slow_readers")
            .description("Streams closed because their reader did not read")
            .register(meters);
  }

  /** How many streams are open. */
  public int open() {
    return outlets.size();
  }

  /** How many readers have been cut off because they did not read. */
  public long slowReaders() {
    return (long) slowReaders.count();
  }

  /** Ends all streams, telling their readers that the server goes away. */
  public void drain() {
    outlets.forEach(Outlet::drain);
  }

  void add(Outlet<?> outlet) {
    outlets.add(outlet);
  }

  void remove(Outlet<?> outlet) {
    outlets.remove(outlet);
  }

  void countSlowReader() {
    slowReaders.increment();
  }
}
