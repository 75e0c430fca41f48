package dev.bridle.core.integrations.connector;

import com.google.protobuf.util.Timestamps;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryFailure;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.core.integrations.connector.mapping.DeliveryContent;
import dev.bridle.core.integrations.connector.mapping.MappingException;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.work.task.TaskCreationRetries;
import dev.bridle.core.work.task.TaskCreationRules;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.DeliveryBodyRecord;
import dev.bridle.record.v1.DeliveryRecord;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.DueEntry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes deliveries. The result of a delivery and its new status are stored in one transaction,
 * so it is processed once, however many processes and crashes there are. A delivery that fails is
 * retried if the failure is transient, and is a dead letter otherwise.
 */
final class DeliveryProcessor {
  private static final Logger log = LoggerFactory.getLogger(DeliveryProcessor.class);

  /** The maximum number of deliveries queued for a thread; the sweeper finds the others. */
  private static final int MOST_HANDED = 256;

  private static final Duration DEAD_KEPT = Duration.ofDays(30);

  private final Commands commands;
  private final ConnectorStore connectors;
  private final DeliveryStore deliveries;
  private final DeliveryMapper mapper;
  private final ConnectorEvents events;
  private final Executor executor;
  private final Semaphore queued = new Semaphore(MOST_HANDED);

  DeliveryProcessor(
      Commands commands,
      ConnectorStore connectors,
      DeliveryStore deliveries,
      DeliveryMapper mapper,
      ConnectorEvents events,
      Executor executor) {
    this.commands = commands;
    this.connectors = connectors;
    this.deliveries = deliveries;
    this.mapper = mapper;
    this.events = events;
    this.executor = executor;
  }

  /** Processes a delivery on another thread, unless too many are queued. */
  void processSoon(String tenant, String connector, String delivery) {
    if (!queued.tryAcquire()) {
      return;
    }
    try {
      executor.execute(
          () -> {
            try {
              work(tenant, connector, delivery);
            } catch (RuntimeException e) {
              FailureLog.warn(log, "A delivery could not be processed; it stays due.", e);
            } finally {
              queued.release();
            }
          });
    } catch (RejectedExecutionException e) {
      queued.release(); // The server stops; the delivery is due at its next start.
    }
  }

  /**
   * Handles a delivery that is due: processes one that is waiting, removes one that has been kept
   * long enough.
   */
  void due(DueEntry entry) {
    int slash = entry.id().indexOf('/');
    String connector = entry.id().substring(0, slash);
    String delivery = entry.id().substring(slash + 1);
    boolean waits =
        fenced(
            entry.tenant(),
            connector,
            write -> {
              Optional<DeliveryRecord> record =
                  deliveries
                      .find(write.tr(), write.tenant(), connector, delivery)
                      .filter(found -> found.getDueAt() == entry.dueMillis());
              if (record.isEmpty()) {
                deliveries.cancel(write, entry);
                return false;
              }
              boolean received =
                  record.get().getDelivery().getStatus() == DeliveryStatus.DELIVERY_STATUS_RECEIVED;
              boolean lives = connectors.find(write.tr(), write.tenant(), connector).isPresent();
              if (!received || !lives) {
                deliveries.remove(write, record.get());
              }
              return received && lives;
            });
    if (waits) {
      work(entry.tenant(), connector, delivery);
    }
  }

  private void work(String tenant, String connector, String delivery) {
    try {
      var unused =
          fenced(
              tenant,
              connector,
              write -> {
                waiting(write, connector, delivery)
                    .ifPresent(
                        waits ->
                            TaskCreationRules.runner(
                                    tenant,
                                    connector,
                                    waits.connector().getWorkspaceId(),
                                    waits.owner().getAboveSessionPersona())
                                .run(() -> mapDelivery(write, waits)));
                return true;
              });
    } catch (MappingException e) {
      failed(
          tenant,
          connector,
          delivery,
          DeliveryFailure.newBuilder().setCode("mapping_failed").setMessage(e.getMessage()),
          Optional.empty());
    } catch (ProtocolException e) {
      DeliveryFailure.Builder failure =
          DeliveryFailure.newBuilder()
              .setCode(TaskCreationRetries.code(e))
              .setMessage(e.getMessage());
      e.param().ifPresent(failure::setParam);
      failed(tenant, connector, delivery, failure, TaskCreationRetries.asked(e));
    } catch (StoreException e) {
      throw e; // The delivery stays due.
    } catch (RuntimeException e) {
      log.error("Processing a delivery failed.", e);
      failed(
          tenant,
          connector,
          delivery,
          DeliveryFailure.newBuilder()
              .setCode("internal_error")
              .setMessage("The server failed; see its log."),
          Optional.of(Duration.ZERO));
    }
  }

  /** A delivery that waits to be processed. */
  private record Waiting(DeliveryRecord record, ConnectorRecord owner) {
    Connector connector() {
      return owner.getConnector();
    }
  }

  private Optional<Waiting> waiting(Write write, String connector, String delivery) {
    Optional<ConnectorRecord> lives = connectors.find(write.tr(), write.tenant(), connector);
    return deliveries
        .find(write.tr(), write.tenant(), connector, delivery)
        .filter(
            record -> record.getDelivery().getStatus() == DeliveryStatus.DELIVERY_STATUS_RECEIVED)
        .flatMap(record -> lives.map(found -> new Waiting(record, found)));
  }

  private boolean mapDelivery(Write write, Waiting waits) {
    Delivery before = waits.record().getDelivery();
    DeliveryBodyRecord body =
        deliveries
            .body(write.tr(), write.tenant(), before.getConnectorId(), before.getId())
            .orElseThrow(() -> new IllegalStateException("a waiting delivery has no body"));
    Delivery after =
        mapper.map(
            write,
            waits.owner(),
            waits.record(),
            DeliveryContent.of(
                body.getBody().toByteArray(), DeliveryContent.joined(body.getHeadersList())));
    deliveries.update(
        write,
        waits.record(),
        waits.record().toBuilder()
            .setDelivery(touched(write, after.toBuilder()))
            .setDueAt(waits.record().getKnownUntil())
            .build());
    return true;
  }

  private void failed(
      String tenant,
      String connector,
      String delivery,
      DeliveryFailure.Builder failure,
      Optional<Duration> asked) {
    var unused =
        fenced(
            tenant,
            connector,
            write -> {
              waiting(write, connector, delivery)
                  .ifPresent(waits -> fail(write, waits, failure.build(), asked));
              return true;
            });
  }

  private void fail(Write write, Waiting waits, DeliveryFailure failure, Optional<Duration> asked) {
    Delivery before = waits.record().getDelivery();
    int attempts = before.getAttempts() + 1;
    Optional<Duration> again = TaskCreationRetries.pause(attempts, asked);
    Delivery.Builder after =
        touched(write, before.toBuilder().setAttempts(attempts).setFailure(failure));
    DeliveryRecord.Builder record = waits.record().toBuilder();
    if (again.isPresent()) {
      record.setDueAt(write.nowMillis() + again.get().toMillis());
    } else {
      after.setStatus(DeliveryStatus.DELIVERY_STATUS_FAILED);
      record.setDueAt(Math.max(record.getKnownUntil(), write.nowMillis() + DEAD_KEPT.toMillis()));
    }
    deliveries.update(write, waits.record(), record.setDelivery(after).build());
    if (again.isEmpty()) {
      events.append(
          write,
          waits.connector(),
          EventDraft.of(
              EventKinds.CONNECTOR_FAILED,
              ConnectorEvents.facts(before)
                  .text("code", failure.getCode())
                  .text("message", failure.getMessage())
                  .text("param", failure.getParam())
                  .number("attempts", attempts)));
    }
  }

  private static Delivery.Builder touched(Write write, Delivery.Builder delivery) {
    return delivery.setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
  }

  private boolean fenced(String tenant, String connector, Function<Write, Boolean> work) {
    return commands.fenced(FencedWrite.WORK_DELIVERY, tenant, connector, work);
  }
}
