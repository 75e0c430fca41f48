package dev.bridle.cli.tenant;

import dev.bridle.admin.v1.DeleteTenantRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Deletes a tenant with all its data. */
@Command(
    name = "delete",
    description = {
      "Delete a tenant with all its data: sessions, tasks, events, artifacts, API keys.",
      "It can only be restored from a backup or an export."
    },
    footer = {"%nExample:", "  bridle tenant delete acme --confirm acme"})
final class DeleteTenantCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private TenantAccess access;

  @Parameters(paramLabel = "TENANT", description = "The tenant's name.")
  private String tenant = "";

  @Option(
      names = "--confirm",
      paramLabel = "TENANT",
      required = true,
      description = "The tenant's name again, to confirm the deletion.")
  private String confirmed = "";

  @Override
  public void run() {
    if (!confirmed.equals(tenant)) {
      throw new ParameterException(
          spec.commandLine(),
          "--confirm is '" + confirmed + "', expected the tenant's name '" + tenant + "'.");
    }
    DeleteTenantRequest request = DeleteTenantRequest.newBuilder().setTenantId(tenant).build();
    var unused = access.with(tenants -> tenants.deleteTenant(request));
    spec.commandLine().getErr().println("Tenant " + tenant + " is deleted.");
  }
}
