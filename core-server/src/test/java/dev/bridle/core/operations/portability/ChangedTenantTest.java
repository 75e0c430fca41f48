package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ListTenantsRequest;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.core.server.TestCore;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;

/** Exports and imports of a tenant that is deleted, or made again, meanwhile. */
final class ChangedTenantTest extends TwoCores {
  private byte[] unsigned() {
    return RewrittenFile.of(Transfer.tenant(source), entry -> entry);
  }

  @Test
  void whatNobodyVouchesForIsNotSignedWhereItsTenantIsDeletedDuringTheExport() {
    var unused = Transfer.load(target, unsigned(), Transfer.into("apart").setUnverified(true));

    assertThatThrownBy(() -> Transfer.export(target, of("apart"), () -> delete(target, "apart")))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("There is no such tenant");
  }

  @Test
  void anExportOfATenantThatIsMadeAgainMeanwhileIsNotWhole() {
    byte[] file = Transfer.tenant(source);

    assertThatThrownBy(
            () ->
                Transfer.export(
                    source,
                    of("default"),
                    () -> {
                      delete(source, "default");
                      var unused = Transfer.load(source, file);
                    }))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("was deleted or imported into during the export");
    assertThat(Transfer.read(Transfer.export(source, of("default"), () -> {})).signed())
        .isPresent();
  }

  @Test
  void noTaskOfWhatNobodyVouchesForIsTakenOverInThePlaceOfWhatWasLoaded() {
    byte[] file = Transfer.tenant(source);
    byte[] unsigned = unsigned();
    var unused = Transfer.load(target, file, Transfer.into("apart"));

    assertThatThrownBy(
            () ->
                Transfer.load(
                    target,
                    file,
                    Transfer.into("apart").setTakeOver(true),
                    () -> {
                      delete(target, "apart");
                      var unusedToo =
                          Transfer.load(
                              target, unsigned, Transfer.into("apart").setUnverified(true));
                    }))
        .hasMessageContaining("The tenant was deleted after the import");
  }

  @Test
  void anImportThatIsRefusedMakesNoTenant() {
    byte[] session =
        Transfer.export(source, ExportRequest.newBuilder().setSessionId(world.session).build());
    Keys.make(Transfer.operator(target), "used");
    var unused = Transfer.load(target, session, Transfer.into("used"));

    assertThatThrownBy(
            () ->
                Transfer.load(
                    target,
                    UnverifiedImportTest.withEra(session, 60_001),
                    Transfer.into("apart").setUnverified(true)))
        .hasMessageContaining("would leave the tenant few more");

    assertThat(
            TenantServiceGrpc.newBlockingStub(target.operator())
                .listTenants(ListTenantsRequest.getDefaultInstance())
                .getTenantsList())
        .noneMatch(tenant -> tenant.getId().equals("apart"));
  }

  private static ExportRequest of(String tenant) {
    return ExportRequest.newBuilder().setTenantId(tenant).build();
  }

  private static void delete(TestCore core, String tenant) {
    var unused =
        TenantServiceGrpc.newBlockingStub(core.operator())
            .deleteTenant(DeleteTenantRequest.newBuilder().setTenantId(tenant).build());
  }
}
