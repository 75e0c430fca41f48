package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventFeed;
import dev.bridle.core.kernel.outbound.OutboundCalls;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.persona.v1.Persona;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.Installation;
import io.grpc.BindableService;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Puts together what webhooks need. */
public final class Webhooks {
  private final WebhookPump pump;
  private final WebhookSending sending;
  private final BindableService service;

  private Webhooks(WebhookPump pump, WebhookSending sending, BindableService service) {
    this.pump = pump;
    this.sending = sending;
    this.service = service;
  }

  /**
   * What deliveries are made of.
   *
   * @param workspaces where webhooks belong
   * @param tasks what events are about
   * @param personas what tasks run as
   * @param secrets what deliveries are signed with
   * @param feed what happens
   * @param publicUrl under which URL the server is reached, once that is known
   * @param most how many webhooks a tenant may have
   */
  public record Places(
      WorkspaceStore workspaces,
      TaskStore tasks,
      TenantRecords<Persona> personas,
      ConnectSecrets secrets,
      EventFeed feed,
      Supplier<Optional<String>> publicUrl,
      int most) {}

  /**
   * How deliveries are sent.
   *
   * @param client says what may be called
   * @param calls calls out
   * @param options times and bounds
   * @param clock wall time
   * @param random what waits are left to
   * @param executor makes deliveries, and stores what came of them
   * @param alone whether no other process sends
   */
  public record Sending(
      OutboundClient client,
      OutboundCalls calls,
      WebhookOptions options,
      Clock clock,
      RandomGenerator random,
      Executor executor,
      boolean alone) {}

  /** Puts them together. */
  public static Webhooks in(
      CoreContext context, Installation installation, Places places, Sending means) {
    WebhookStore webhooks = new WebhookStore(context.layout(), context.due());
    WebhookDeliveryStore deliveries = new WebhookDeliveryStore(context.layout());
    WebhookEvents webhookEvents = new WebhookEvents(context.events());
    WebhookAgenda agenda = new WebhookAgenda(webhooks, deliveries);
    WebhookSending sending =
        new WebhookSending(
            new WebhookEndpoint.Means(
                context.commands(),
                webhooks,
                deliveries,
                new WebhookRequests(
                    context.store(),
                    webhooks,
                    places.feed(),
                    places.tasks(),
                    places.secrets(),
                    places.publicUrl()),
                agenda,
                new WebhookResults(
                    webhooks, deliveries, agenda, webhookEvents, means.options(), means.random()),
                means));
    WebhookPump pump =
        new WebhookPump(
            installation,
            new WebhookTenant.Means(
                context.store(),
                context.commands(),
                webhooks,
                deliveries,
                places.tasks(),
                places.feed(),
                sending,
                means));
    WebhookRules rules =
        new WebhookRules(means.client(), places.personas(), places.secrets(), places.most());
    return new Webhooks(
        pump,
        sending,
        new WebhookService(
            new WebhookAdministration(
                context,
                places.workspaces(),
                webhooks,
                rules,
                webhookEvents,
                places.feed(),
                agenda),
            new WebhookDeliveries(
                context.store(),
                context.commands(),
                webhooks,
                deliveries,
                webhookEvents,
                agenda,
                context.pages()),
            pump,
            sending));
  }

  /** Returns the service. */
  public BindableService service() {
    return service;
  }

  /** Looks at a webhook that is due. */
  public void due(DueEntry entry) {
    sending.due(entry);
  }

  /** Begins to make deliveries of what happens. */
  public void start(ScheduledExecutorService timer) {
    pump.start(timer);
  }
}
