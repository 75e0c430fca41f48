package dev.bridle.core.work.quota;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.kernel.resource.TenantResources;
import dev.bridle.quota.v1.CreateQuotaRequest;
import dev.bridle.quota.v1.GetQuotaRequest;
import dev.bridle.quota.v1.ListQuotasRequest;
import dev.bridle.quota.v1.ListQuotasResponse;
import dev.bridle.quota.v1.Quota;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.quota.v1.UpdateQuotaRequest;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import io.grpc.stub.StreamObserver;

/** Quotas (protocol section "Quota"). */
public final class QuotaService extends QuotaServiceGrpc.QuotaServiceImplBase {
  private final KeyValueStore store;
  private final QuotaStore quotas;
  private final TenantResources<Quota> resources;
  private final BoundQuotas bound;
  private final QuotaUsage usage;
  private final ShownQuotas shown;
  private final Pages pages;

  public QuotaService(CoreContext context, QuotaStore quotas, BoundQuotas bound) {
    this.store = context.store();
    this.quotas = quotas;
    this.resources =
        new TenantResources<>(
            context.commands(),
            quotas.records(),
            context.events(),
            QuotaStore.QUOTA,
            Quota.getDefaultInstance(),
            new TenantResources.Told(EventKinds.QUOTA_CREATED, EventKinds.QUOTA_UPDATED));
    this.bound = bound;
    this.usage = new QuotaUsage(context.layout(), context.events());
    this.shown = new ShownQuotas(usage, context.clock());
    this.pages = context.pages();
  }

  @Override
  public void listQuotas(ListQuotasRequest request, StreamObserver<ListQuotasResponse> response) {
    Caller caller = Caller.current();
    Replies.send(response, store.read(tr -> list(tr, caller, request)));
  }

  private ListQuotasResponse list(ReadTransaction tr, Caller caller, ListQuotasRequest request) {
    Pages.Page<Quota> page =
        pages.read(
            tr,
            quotas.records().records(),
            Pages.Ask.of(request, RecordDef.ALL, "", true),
            quotas.visibleTo(tr, caller)::holds);
    ListQuotasResponse.Builder list = ListQuotasResponse.newBuilder().setPage(page.info());
    page.rows().forEach(quota -> list.addData(shown.now(tr, caller.tenant(), quota)));
    return list.build();
  }

  @Override
  public void createQuota(CreateQuotaRequest request, StreamObserver<Quota> response) {
    Replies.send(response, resources.make(request, write -> create(write, request)));
  }

  private Quota create(Write write, CreateQuotaRequest request) {
    Measure.check(request.getLimitsMap().keySet());
    needRoomForOne(write, request.getScope());
    Quota quota =
        Members.made(write, write.id("quota"), request, Quota.getDefaultInstance()).toBuilder()
            .setHardLimit(!request.hasHardLimit() || request.getHardLimit())
            .build();
    return shownNow(write, resources.insert(write, quota));
  }

  private Quota shownNow(Write write, Quota quota) {
    return shown.at(write.tr(), write.tenant(), quota, write.nowMillis());
  }

  /** Every submission reads the quotas that bind the whole tenant, so there are few of them. */
  private void needRoomForOne(Write write, QuotaScope scope) {
    if ((scope == QuotaScope.QUOTA_SCOPE_TENANT || scope == QuotaScope.QUOTA_SCOPE_ORGANIZATION)
        && bound.ofTenant(write.tr(), write.tenant()).size() >= BoundQuotas.MAX_OF_TENANT) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The tenant has as many quotas of this scope as it may; change one of them.")
          .with("quotas", BoundQuotas.MAX_OF_TENANT);
    }
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
                    .map(quota -> shown.now(tr, caller.tenant(), quota))
                    .orElseThrow(() -> ProtocolException.notFound(QuotaStore.QUOTA.name(), id)));
    Replies.send(response, found);
  }

  @Override
  public void updateQuota(UpdateQuotaRequest request, StreamObserver<Quota> response) {
    Replies.send(
        response,
        resources.change(
            request, request.getQuotaId(), (write, before) -> update(write, before, request)));
  }

  private Quota update(Write write, Quota before, UpdateQuotaRequest request) {
    Measure.check(request.getLimitsMap().keySet());
    // What a time that has passed did to the quota stays, whatever becomes of its members now.
    Quota current = Periods.settled(before, write.nowMillis());
    Quota after = resources.update(write, before, current, request, request.getUpdateMask());
    usage.forgetEarlier(write, Periods.settled(after, write.nowMillis()));
    return shownNow(write, after);
  }
}
