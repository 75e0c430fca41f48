package dev.bridle.core.integrations.relay;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.record.v1.RelayRouteRecord;
import dev.bridle.relay.v1.PairedDevice;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;

/**
 * Lists the devices that were paired. Pairings themselves are kept for a day; the routes to the
 * devices stay.
 */
final class PairedDevices {
  private static final int LIST = 0;

  private final KeyValueStore store;
  private final Pages pages;
  private final Parties parties;
  private final PairingStore pairings;

  PairedDevices(CoreContext context, Parties parties, PairingStore pairings) {
    this.store = context.store();
    this.pages = context.pages();
    this.parties = parties;
    this.pairings = pairings;
  }

  /**
   * Returns a page of the devices of a tenant.
   *
   * @param request a list request with a limit and a cursor
   */
  Pages.Page<PairedDevice> all(Caller caller, Message request) {
    return store.read(tr -> page(tr, caller, request, ""));
  }

  /**
   * Returns a page of the devices of an enforcer; {@code resource_not_found} if it is not the
   * caller's.
   *
   * @param request a list request with a limit and a cursor
   */
  Pages.Page<PairedDevice> ofEnforcer(Caller caller, PartyId enforcer, Message request) {
    return store.read(
        tr -> {
          parties.need(tr, caller, enforcer);
          return page(tr, caller, request, enforcer.id());
        });
  }

  private Pages.Page<PairedDevice> page(
      ReadTransaction tr, Caller caller, Message request, String enforcer) {
    Pages.Page<RelayRouteRecord> page =
        pages.named(
            (after, limit) -> pairings.routes(tr, caller.tenant(), after, limit),
            RelayRouteRecord::getTokenHash,
            Pages.Ask.of(request, LIST, enforcer, false),
            route -> enforcer.isEmpty() || route.getEnforcerId().equals(enforcer));
    return new Pages.Page<>(
        page.rows().stream().map(route -> device(tr, caller.tenant(), route)).toList(),
        page.info());
  }

  private PairedDevice device(ReadTransaction tr, String tenant, RelayRouteRecord route) {
    PairedDevice.Builder device =
        PairedDevice.newBuilder()
            .setEnforcerId(route.getEnforcerId())
            .setApproverId(route.getApproverId())
            .setDeviceId(route.getDeviceId())
            .setSignerKeyId(route.getSignerKeyId())
            .setSigningKey(route.getSigningKey())
            .setPublicKey(route.getPublicKey())
            .setPairedAt(Timestamps.fromMillis(route.getCreatedAt()));
    parties
        .revokedAt(tr, tenant, PartyId.approver(route.getApproverId()))
        .ifPresent(device::setRevokedAt);
    return device.build();
  }
}
