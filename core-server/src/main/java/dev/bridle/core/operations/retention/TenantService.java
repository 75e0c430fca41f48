package dev.bridle.core.operations.retention;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.DeleteTenantResponse;
import dev.bridle.admin.v1.ListTenantsRequest;
import dev.bridle.admin.v1.ListTenantsResponse;
import dev.bridle.admin.v1.SetRetentionRequest;
import dev.bridle.admin.v1.SetRetentionResponse;
import dev.bridle.admin.v1.Tenant;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.record.v1.EventRetention;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Installation;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** Manages tenants, for operators. */
public final class TenantService extends TenantServiceGrpc.TenantServiceImplBase {
  private static final int PAGE = 100;

  private final KeyValueStore store;
  private final Installation installation;
  private final Tenants tenants;
  private final TenantDeletion deletion;

  public TenantService(CoreContext context, Tenants tenants, TenantDeletion deletion) {
    this.store = context.store();
    this.installation = context.installation();
    this.tenants = tenants;
    this.deletion = deletion;
  }

  @Override
  public void listTenants(
      ListTenantsRequest request, StreamObserver<ListTenantsResponse> response) {
    Replies.send(response, store.read(tr -> page(tr, request.getAfterId())));
  }

  private ListTenantsResponse page(ReadTransaction tr, String after) {
    ListTenantsResponse.Builder page = ListTenantsResponse.newBuilder();
    Optional<String> next = installation.tenantAfter(tr, after);
    while (next.isPresent() && page.getTenantsCount() < PAGE) {
      String tenant = next.get();
      tenants
          .record(tr, tenant)
          .filter(record -> record.getDeletingAt() == 0)
          .ifPresent(record -> page.addTenants(toResource(tenant, record)));
      next = installation.tenantAfter(tr, tenant);
    }
    return page.build();
  }

  @Override
  public void setRetention(
      SetRetentionRequest request, StreamObserver<SetRetentionResponse> response) {
    EventRetention retention =
        EventRetention.newBuilder()
            .setMaxAgeMillis(Durations.toMillis(request.getRetention().getMaxAge()))
            .setMaxEvents(request.getRetention().getMaxEvents())
            .build();
    TenantRecord changed =
        store.transact(
            tr -> {
              TenantRecord record =
                  tenants.need(tr, request.getTenantId()).toBuilder()
                      .setRetention(retention)
                      .build();
              installation.putTenant(tr, request.getTenantId(), record.toByteArray());
              return record;
            });
    Replies.send(
        response,
        SetRetentionResponse.newBuilder()
            .setTenant(toResource(request.getTenantId(), changed))
            .build());
  }

  @Override
  public void deleteTenant(
      DeleteTenantRequest request, StreamObserver<DeleteTenantResponse> response) {
    deletion.delete(request.getTenantId());
    Replies.send(response, DeleteTenantResponse.getDefaultInstance());
  }

  private static Tenant toResource(String id, TenantRecord record) {
    Tenant.Builder tenant =
        Tenant.newBuilder().setId(id).setCreatedAt(Timestamps.fromMillis(record.getCreatedAt()));
    EventRetention kept = record.getRetention();
    if (kept.getMaxAgeMillis() != 0) {
      tenant.getRetentionBuilder().setMaxAge(Durations.fromMillis(kept.getMaxAgeMillis()));
    }
    if (kept.getMaxEvents() != 0) {
      tenant.getRetentionBuilder().setMaxEvents(kept.getMaxEvents());
    }
    return tenant.build();
  }
}
