package dev.bridle.worker;

import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import io.grpc.Channel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases tasks from the core and runs a handler for each, until it is closed. Survives the loss of
 * its connection: running handlers continue while their leases are valid, and new tasks arrive when
 * the core is reachable again.
 */
public final class Worker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Worker.class);
  private static final Duration STREAM_END = Duration.ofMillis(500);

  private final String name;
  private final Duration closeGrace;
  private final Duration stopTime;
  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService pool;
  private final Registration registration;
  private final LeaseStream link;
  private final RunningTasks desk;
  private final Heartbeats heartbeats;

  Worker(WorkerBuilder options, Channel channel, String workerId) {
    this.name = options.agentId().isEmpty() ? "default" : options.agentId();
    this.closeGrace = options.closeGrace();
    this.stopTime = options.stopTime();
    this.timer = new ScheduledThreadPoolExecutor(1, daemons("bridle-worker-timer-" + name));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    // Bounded by the slots; a parked handler keeps its thread without a slot.
    this.pool = Executors.newCachedThreadPool(daemons("bridle-worker-" + name));
    RegisterWorkerRequest.Builder agent =
        RegisterWorkerRequest.newBuilder()
            .setAgentId(options.agentId())
            .addAllBindings(options.bindings());
    LeaseHello.Builder hello =
        LeaseHello.newBuilder()
            .setAgentId(options.agentId())
            .setWorkerId(workerId)
            .setWorksWhileParked(options.doesWorkWhileParked())
            .setTakesMessages(options.doesTakeMessages())
            .setOneTaskPerSession(options.isOneTaskPerSession())
            .setReplays(options.doesReplay());
    options
        .handlerFacts()
        .map(HandlerFacts::info)
        .ifPresent(
            info -> {
              agent.setHandler(info);
              hello.setHandler(info);
            });
    this.registration =
        new Registration(
            options.channel(),
            channel,
            options.doesRegister() ? Optional.of(agent.build()) : Optional.empty());
    this.link = new LeaseStream(channel, hello.build(), registration, options.slots(), timer);
    this.desk =
        new RunningTasks(
            options.handler(),
            new CoreCalls(channel),
            new ReportTimer(options.reportDelay(), timer, pool),
            pool,
            link::slotFreed);
    this.heartbeats = new Heartbeats(channel, desk, timer);
  }

  /**
   * Returns a builder of a worker that calls the core over a channel. The caller closes the
   * channel.
   */
  public static WorkerBuilder builder(Channel channel) {
    return new WorkerBuilder(channel);
  }

  /**
   * Registers the agent's bindings and starts to take tasks. Retries while the core can't be
   * reached.
   *
   * @throws CallRefused if the core rejects the registration
   */
  public void start() {
    registration.register();
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
      case MESSAGE -> desk.message(response.getMessage());
      case RESPONSE_NOT_SET ->
          log.debug("The core sent a message that this version does not" + " support");
    }
  }

  /**
   * Stops gracefully: requests no more tasks, waits for running handlers up to the grace time, then
   * stops them and returns their tasks to the queue. A task whose handler does not stop in time
   * returns when its lease expires.
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
        desk.stopAll(Stop.CLOSING);
        idle = desk.awaitIdle(stopTime);
      }
      if (!idle) {
        log.warn(
            "Worker {}: {} tasks did not stop; they return to the queue when their leases expire",
            name,
            desk.alive().size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    desk.stopAll(Stop.LOST);
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
