package dev.bridle.benchmarks.hosted;

import dev.bridle.host.process.AgentCommand;
import dev.bridle.host.process.AgentEnvironment;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.ExitReason;
import dev.bridle.host.process.Spawner;
import dev.bridle.host.rpc.JsonRpcPeer;
import dev.bridle.host.rpc.PeerHandler;
import dev.bridle.host.rpc.PeerLimits;
import dev.bridle.host.rpc.RawJson;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** How many of the same updates the peer of JSON-RPC alone reads: the yardstick of the others. */
public final class BarePeer implements AutoCloseable {
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final AgentLauncher launcher;
  private final String update;

  /** Creates a peer of an agent that writes an update, a line of JSON, as fast as it is read. */
  public BarePeer(String update) throws Exception {
    this.update = update;
    this.launcher = AgentLauncher.create(new Spawner(), Optional.empty(), timer);
  }

  /** Returns updates a second, after half of the time to warm up. */
  public double updatesPerSecond(int seconds) throws Exception {
    AgentProcess agent =
        launcher.start(
            new AgentCommand(
                "flood",
                List.of("sh", "-c", "exec yes \"$1\"", "agent", update),
                Path.of("/"),
                AgentEnvironment.choose(System.getenv(), Set.of(), Map.of()),
                OptionalLong.empty()));
    LongAdder updates = new LongAdder();
    PeerHandler counting =
        new PeerHandler() {
          @Override
          public void notification(String method, RawJson params, RawJson whole) {
            updates.increment();
          }
        };
    try (JsonRpcPeer peer =
        JsonRpcPeer.start(
            "flood", agent.output(), agent.input(), PeerLimits.DEFAULT, counting, timer)) {
      TimeUnit.MILLISECONDS.sleep(seconds * 500L);
      long before = updates.sum();
      long start = System.nanoTime();
      TimeUnit.SECONDS.sleep(seconds);
      double rate = (updates.sum() - before) / ((System.nanoTime() - start) / 1e9);
      agent.kill(ExitReason.KILLED, "The figure is taken").get();
      peer.ended().get();
      return rate;
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
