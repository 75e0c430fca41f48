package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ImportPass;
import dev.bridle.admin.v1.ImportPurpose;
import dev.bridle.core.operations.portability.file.FileCheck;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import io.grpc.StatusRuntimeException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Exports and imports that broke off, and those that cannot begin. */
final class InterruptedTransferTest extends TwoCores {
  @Test
  void anImportThatBrokeOffGoesOnWhereItWas() {
    byte[] file = Transfer.tenant(source);
    Transfer.loadAndBreakOff(target, file, Transfer.into("default"), file.length - 200_000);

    List<ImportPass> passes = Transfer.passesOf(target, file, Transfer.into("default"));

    assertThat(passes.get(1).getPurpose()).isEqualTo(ImportPurpose.IMPORT_PURPOSE_LOAD);
    assertThat(passes.get(1).getOffset()).isGreaterThan(100_000);
    assertThat(Reads.of(target)).isEqualTo(Reads.of(source));
  }

  @Test
  void anExportGoesOnOnlyWhereItWasBegun() {
    byte[] file = Transfer.tenant(source);
    ExportRequest.Builder resume =
        ExportRequest.newBuilder()
            .setResumeAfter("TENANT:")
            .setResumeInstallationId(Transfer.read(file).header().installation());

    assertThat(Transfer.exported(source, resume.build(), new byte[0])).isNotEmpty();
    assertThatThrownBy(() -> Transfer.exported(target, resume.build(), new byte[0]))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("was begun on the installation")
        .hasMessageContaining(Transfer.read(file).header().installation());
  }

  @Test
  void aTenantThatIsBeingDeletedIsNotExported() {
    Keys.make(Transfer.operator(source), "acme");
    source
        .store()
        .transact(
            tr -> {
              new Installation(KeyLayout.root())
                  .putTenant(
                      tr, "acme", TenantRecord.newBuilder().setDeletingAt(1).build().toByteArray());
              return true;
            });

    assertThatThrownBy(
            () -> Transfer.export(source, ExportRequest.newBuilder().setTenantId("acme").build()))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("There is no such tenant");
  }

  @Test
  void anExportThatBrokeOffGoesOnAfterItsLastWholeUnit() {
    byte[] all = Transfer.exported(source, ExportRequest.getDefaultInstance(), new byte[0]);
    for (int cut : new int[] {all.length - 1, all.length / 2, all.length - 300_000}) {
      byte[] part = Arrays.copyOf(all, Math.max(cut, 1000));
      var read = new FileCheck(block -> {});
      read.take(part, 0, part.length);
      byte[] whole = Arrays.copyOf(part, (int) read.wholeTo());
      byte[] resumed =
          Transfer.exported(
              source,
              ExportRequest.newBuilder()
                  .setResumeAfter(read.lastUnit().orElseThrow().cursor())
                  .build(),
              whole);
      assertThat(resumed).isEqualTo(all);
    }
  }
}
