package dev.bridle.core.work.quota;

import com.google.protobuf.Message;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.TenantSharedRules;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.quota.v1.CreateQuotaRequest;
import dev.bridle.quota.v1.Quota;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.quota.v1.UpdateQuotaRequest;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;
import java.util.function.Predicate;

/** The rules of quotas as a resource (protocol section "Quota"). */
public final class QuotaRules extends TenantSharedRules<Quota> {
  private final QuotaStore quotas;
  private final BoundQuotas bound;
  private final QuotaUsage usage;
  private final ReceiptStore receipts;

  private QuotaRules(
      QuotaStore quotas, BoundQuotas bound, QuotaUsage usage, ReceiptStore receipts) {
    this.quotas = quotas;
    this.bound = bound;
    this.usage = usage;
    this.receipts = receipts;
  }

  /** Returns the definition of the resource. */
  public static ResourceDef<Quota, Quota> resource(CoreContext context) {
    return ResourceDef.of(
        QuotaStore.QUOTA,
        QuotaServiceGrpc.getServiceDescriptor(),
        Quota.getDefaultInstance(),
        new QuotaRules(
            new QuotaStore(context.layout()),
            new BoundQuotas(context.layout()),
            new QuotaUsage(context.layout(), context.events()),
            new ReceiptStore(context.layout())));
  }

  @Override
  public Predicate<Quota> visible(ReadTransaction tr, Caller caller) {
    return quotas.visibleTo(tr, caller)::holds;
  }

  @Override
  public Quota create(Write write, Caller caller, Message request, Quota quota) {
    CreateQuotaRequest asked = (CreateQuotaRequest) request;
    Measure.check(asked.getLimitsMap().keySet());
    needRoomForOne(write, quota);
    return quota.toBuilder().setHardLimit(!asked.hasHardLimit() || asked.getHardLimit()).build();
  }

  /** Limits the quotas that bind the whole tenant, since every submission reads them. */
  private void needRoomForOne(Write write, Quota quota) {
    if (QuotaStore.bindsTenant(quota)
        && bound.ofTenant(write.tr(), write.tenant()).size() >= BoundQuotas.MAX_OF_TENANT) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The tenant has reached its limit of quotas of this scope; change one of them.")
          .with("quotas", BoundQuotas.MAX_OF_TENANT);
    }
  }

  @Override
  public void checkUpdate(Write write, Caller caller, Quota before, Message request) {
    Measure.check(((UpdateQuotaRequest) request).getLimitsMap().keySet());
  }

  /** A reset that is due is applied before the update. */
  @Override
  public Quota current(Write write, Quota before, Quota quota) {
    return Periods.settled(before, write.nowMillis());
  }

  @Override
  public void updated(Write write, Quota after) {
    usage.forgetEarlier(write, Periods.settled(after, write.nowMillis()));
  }

  /** Adds the usage of each limit, and the newest receipt of a task that used the quota. */
  @Override
  public Quota shown(
      ReadTransaction tr, String tenant, Quota record, Quota resource, long nowMillis) {
    Quota quota = Periods.settled(record, nowMillis);
    Quota.Builder shown = quota.toBuilder().clearUsage().clearExhaustionReason();
    for (Measure measure : Measure.values()) {
      Optional<Long> ceiling = measure.ceiling(quota);
      if (ceiling.isPresent()) {
        long used = usage.used(tr, tenant, quota, measure, nowMillis);
        shown.putUsage(measure.limit(), measure.toLimitUnit(used));
        if (quota.getHardLimit() && used >= ceiling.get() && !shown.hasExhaustionReason()) {
          shown.setExhaustionReason("The limit of " + measure.limit() + " is used up.");
        }
      }
    }
    receipts.lastOf(tr, tenant, quota.getId()).ifPresent(shown::setLastReceiptId);
    return shown.build();
  }
}
