package dev.bridle.cli.tenant;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.Retention;
import dev.bridle.admin.v1.Tenant;
import dev.bridle.cli.console.JsonLines;

/** Formats tenants for people and for scripts. */
final class TenantOutput {

  private TenantOutput() {}

  static String line(Tenant tenant, boolean json) {
    return json ? json(tenant) : text(tenant);
  }

  private static String json(Tenant tenant) {
    Retention kept = tenant.getRetention();
    return JsonLines.object()
        .put("id", tenant.getId())
        .put("created_at", Timestamps.toString(tenant.getCreatedAt()))
        .put("max_age_seconds", kept.hasMaxAge() ? kept.getMaxAge().getSeconds() : null)
        .put("max_events", kept.getMaxEvents() == 0 ? null : kept.getMaxEvents())
        .toString();
  }

  static String[] cells(Tenant tenant) {
    return new String[] {tenant.getId(), Timestamps.toString(tenant.getCreatedAt()), kept(tenant)};
  }

  private static String text(Tenant tenant) {
    return String.format(
        "%-20s %s  keeps events: %s",
        tenant.getId(), Timestamps.toString(tenant.getCreatedAt()), kept(tenant));
  }

  private static String kept(Tenant tenant) {
    Retention kept = tenant.getRetention();
    String age = kept.hasMaxAge() ? "for " + Durations.toSeconds(kept.getMaxAge()) + " s" : "";
    String count = kept.getMaxEvents() == 0 ? "" : "the newest " + kept.getMaxEvents();
    String both = age.isEmpty() || count.isEmpty() ? age + count : age + ", " + count;
    return both.isEmpty() ? "all" : both;
  }
}
