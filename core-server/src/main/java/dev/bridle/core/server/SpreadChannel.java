package dev.bridle.core.server;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.inprocess.InProcessChannelBuilder;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Several in-process channels that take turns: each has one lock for all of its calls, which many
 * threads at once would wait for.
 */
final class SpreadChannel extends Channel {
  private static final int CHANNELS = 6;

  private final List<ManagedChannel> channels;
  private final AtomicInteger turn = new AtomicInteger();

  private SpreadChannel(List<ManagedChannel> channels) {
    this.channels = List.copyOf(channels);
  }

  /** Connects to the in-process server of a name. */
  static SpreadChannel to(String name, int maxMessageBytes) {
    return new SpreadChannel(
        IntStream.range(0, CHANNELS)
            .mapToObj(
                n ->
                    InProcessChannelBuilder.forName(name)
                        .directExecutor()
                        .maxInboundMessageSize(maxMessageBytes)
                        .build())
            .toList());
  }

  @Override
  public <A, B> ClientCall<A, B> newCall(MethodDescriptor<A, B> method, CallOptions options) {
    int next = Math.floorMod(turn.getAndIncrement(), channels.size());
    return channels.get(next).newCall(method, options);
  }

  @Override
  public String authority() {
    return channels.get(0).authority();
  }

  /** Takes no more calls; those under way go on. */
  void shutdown() {
    channels.forEach(ManagedChannel::shutdown);
  }

  /** Takes no more calls, and ends those under way. */
  void shutdownNow() {
    channels.forEach(ManagedChannel::shutdownNow);
  }
}
