package dev.bridle.worker;

import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.LeaseTasksResponse;
import io.grpc.Channel;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes tasks of the core under leases and runs a handler for each, until it is closed. It survives
 * the loss of its connection: what runs goes on while its lease lives, and new tasks come once the
 * core is there again.
 */
public final class Worker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Worker.class);
  private static final Duration STREAM_END = Duration.ofMillis(500);
  private static final Duration LAST_CALLS = Duration.ofSeconds(2);

  private final String name;
  private final Duration closeGrace;
  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService pool;
  private final Registration registration;
  private final LeaseLink link;
  private final LeaseDesk desk;
  private final Heartbeats heartbeats;

  Worker(WorkerBuilder options, Channel channel, String workerId) {
    this.name = options.agentId().isEmpty() ? "default" : options.agentId();
    this.closeGrace = options.closeGrace();
    this.timer = new ScheduledThreadPoolExecutor(1, daemons("bridle-worker-timer-" + name));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    // The slots bound it; a parked handler keeps its thread without one.
    this.pool = Executors.newCachedThreadPool(daemons("bridle-worker-" + name));
    this.registration =
        new Registration(options.channel(), channel, options.agentId(), options.bindings());
    LeaseHello hello =
        LeaseHello.newBuilder().setAgentId(options.agentId()).setWorkerId(workerId).build();
    this.link = new LeaseLink(channel, hello, registration, options.slots(), timer);
    this.desk = new LeaseDesk(options.handler(), new CoreCalls(channel), pool, link::slotFreed);
    this.heartbeats = new Heartbeats(channel, desk, timer);
  }

  /**
   * Begins to build a worker that speaks with the core over the channel; closing the channel is
   * left to the caller.
   */
  public static WorkerBuilder builder(Channel channel) {
    return new WorkerBuilder(channel);
  }

  /**
   * Registers what the agent takes and begins to take tasks. Where the core can't be reached, it
   * goes on trying.
   *
   * @throws CallRefused when the core refuses the registration
   */
  public void start() {
    registration.make();
    link.start(this::received);
    log.info("Worker {} takes tasks", name);
  }

  private void received(LeaseTasksResponse response) {
    switch (response.getResponseCase()) {
      case LEASE -> {
        heartbeats.leased(response.getLease());
        desk.accept(response.getLease());
      }
      case CANCEL -> desk.cancel(response.getCancel());
      case RESPONSE_NOT_SET -> log.debug("The core sent what this version does not know");
    }
  }

  /**
   * Asks for no more tasks, lets what runs finish up to the grace time, then stops it and gives it
   * back. What does not stop in time goes back when its lease runs out. Waits for all that.
   */
  @Override
  public void close() {
    link.stopAsking();
    desk.alive().forEach(run -> run.hold().endParking());
    try {
      long graceEnds = System.nanoTime() + closeGrace.toNanos();
      desk.awaitIdle(closeGrace);
      link.awaitEnd(STREAM_END);
      boolean idle = desk.awaitIdle(Duration.ofNanos(graceEnds - System.nanoTime()));
      if (!idle) {
        desk.stopAll(LeaseHold.Stop.CLOSING);
        idle = desk.awaitIdle(LAST_CALLS);
      }
      if (!idle) {
        log.warn(
            "Worker {}: {} tasks did not stop; they go back when their leases end",
            name,
            desk.alive().size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    desk.stopAll(LeaseHold.Stop.LOST);
    timer.shutdown();
    pool.shutdown();
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
