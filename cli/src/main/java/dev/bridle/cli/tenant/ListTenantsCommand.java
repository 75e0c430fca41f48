package dev.bridle.cli.tenant;

import dev.bridle.admin.v1.ListTenantsRequest;
import dev.bridle.admin.v1.Tenant;
import dev.bridle.cli.console.Listing;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists tenants by name. */
@Command(
    name = "list",
    description = "List tenants by name.",
    footer = {"%nExample:", "  bridle tenant list --json"})
final class ListTenantsCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private TenantAccess access;

  @Override
  public void run() {
    List<Tenant> all = new ArrayList<>();
    List<Tenant> page;
    do {
      String after = all.isEmpty() ? "" : all.get(all.size() - 1).getId();
      ListTenantsRequest request = ListTenantsRequest.newBuilder().setAfterId(after).build();
      page = access.with(tenants -> tenants.listTenants(request)).getTenantsList();
      all.addAll(page);
    } while (!page.isEmpty());
    try (Listing list =
        new Listing(
            spec.commandLine().getOut(), access.json(), "TENANT", "CREATED AT", "KEEPS EVENTS")) {
      all.forEach(
          tenant -> list.add(TenantOutput.line(tenant, access.json()), TenantOutput.cells(tenant)));
    }
  }
}
