package dev.bridle.core.quota;

import dev.bridle.core.auth.Caller;
import dev.bridle.core.command.Commands;
import dev.bridle.core.command.Replies;
import dev.bridle.core.command.Write;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.event.EventDraft;
import dev.bridle.core.event.EventKinds;
import dev.bridle.core.event.Events;
import dev.bridle.core.page.Pages;
import dev.bridle.core.record.RecordKind;
import dev.bridle.core.resource.Members;
import dev.bridle.quota.v1.CreateQuotaRequest;
import dev.bridle.quota.v1.GetQuotaRequest;
import dev.bridle.quota.v1.ListQuotasRequest;
import dev.bridle.quota.v1.ListQuotasResponse;
import dev.bridle.quota.v1.Quota;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.quota.v1.UpdateQuotaRequest;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;

/** Quotas (protocol section "Quota"). */
public final class QuotaService extends QuotaServiceGrpc.QuotaServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final QuotaStore quotas;
  private final Events events;
  private final Pages pages;

  public QuotaService(
      KeyValueStore store, Commands commands, QuotaStore quotas, Events events, Pages pages) {
    this.store = store;
    this.commands = commands;
    this.quotas = quotas;
    this.events = events;
    this.pages = pages;
  }

  @Override
  public void listQuotas(ListQuotasRequest request, StreamObserver<ListQuotasResponse> response) {
    Caller caller = Caller.current();
    Pages.Page<Quota> page =
        store.read(
            tr ->
                pages.read(
                    tr,
                    quotas.records().records(),
                    Pages.Ask.of(request, RecordKind.ALL, "", true),
                    quotas.visibleTo(tr, caller)::holds));
    ListQuotasResponse.Builder list = ListQuotasResponse.newBuilder().setPage(page.info());
    page.rows().forEach(quota -> list.addData(QuotaLimits.withUsage(quota)));
    Replies.send(response, list.build());
  }

  @Override
  public void createQuota(CreateQuotaRequest request, StreamObserver<Quota> response) {
    Caller.current().needWholeTenant();
    Quota made =
        commands.run(
            request, "", write -> "", write -> create(write, request), Quota.getDefaultInstance());
    Replies.send(response, made);
  }

  private Quota create(Write write, CreateQuotaRequest request) {
    QuotaLimits.check(request.getLimitsMap().keySet());
    Quota quota =
        Members.made(write, write.id("quota"), request, Quota.getDefaultInstance()).toBuilder()
            .setHardLimit(!request.hasHardLimit() || request.getHardLimit())
            .build();
    quotas.records().insert(write, quota);
    events.ofTenant(
        write,
        RecordKind.QUOTA.name(),
        quota.getId(),
        EventDraft.of(EventKinds.QUOTA_CREATED, Members.told(quota)));
    return QuotaLimits.withUsage(quota);
  }

  @Override
  public void getQuota(GetQuotaRequest request, StreamObserver<Quota> response) {
    Caller caller = Caller.current();
    String id = request.getQuotaId();
    Quota found =
        store.read(
            tr ->
                quotas
                    .records()
                    .find(tr, caller, id)
                    .filter(quotas.visibleTo(tr, caller)::holds)
                    .orElseThrow(() -> ProtocolException.notFound(RecordKind.QUOTA.name(), id)));
    Replies.send(response, QuotaLimits.withUsage(found));
  }

  @Override
  public void updateQuota(UpdateQuotaRequest request, StreamObserver<Quota> response) {
    Caller caller = Caller.current();
    caller.needWholeTenant();
    String id = request.getQuotaId();
    Quota changed =
        commands.run(
            request,
            id,
            write -> {
              var unused = quotas.records().need(write.tr(), caller, id);
              return "";
            },
            write -> update(write, quotas.records().need(write.tr(), caller, id), request),
            Quota.getDefaultInstance());
    Replies.send(response, changed);
  }

  private Quota update(Write write, Quota before, UpdateQuotaRequest request) {
    QuotaLimits.check(request.getLimitsMap().keySet());
    return QuotaLimits.withUsage(
        Members.changed(write, before, request, request.getUpdateMask())
            .map(change -> changed(write, before, change))
            .orElse(before));
  }

  private Quota changed(Write write, Quota before, Members.Change<Quota> change) {
    quotas.records().update(write, before, change.resource());
    events.ofTenant(
        write,
        RecordKind.QUOTA.name(),
        before.getId(),
        EventDraft.of(EventKinds.QUOTA_UPDATED, change.told()));
    return change.resource();
  }
}
