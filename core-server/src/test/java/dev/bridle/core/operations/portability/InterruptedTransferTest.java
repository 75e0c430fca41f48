package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ImportPass;
import dev.bridle.admin.v1.ImportPurpose;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.core.operations.portability.file.Counts;
import dev.bridle.core.operations.portability.file.FileCheck;
import dev.bridle.core.operations.portability.file.UnitEnd;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import io.grpc.StatusRuntimeException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

    assertThat(Transfer.blocks(source, resume.build())).isNotEmpty();
    assertThatThrownBy(() -> Transfer.blocks(target, resume.build()))
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
    byte[] all = Transfer.blocks(source, ExportRequest.getDefaultInstance());
    for (int cut : new int[] {all.length - 1, all.length / 2, all.length - 300_000}) {
      byte[] part = Arrays.copyOf(all, Math.max(cut, 1000));
      FileCheck read = Transfer.read(part);
      byte[] whole = Arrays.copyOf(part, (int) read.wholeTo());
      byte[] resumed = Transfer.export(source, after(read.lastUnit().orElseThrow()), whole);
      assertThat(Arrays.copyOf(resumed, all.length)).isEqualTo(all);
      assertThat(Transfer.load(target, resumed, Transfer.into("cut-" + cut)).getSignedByKeyId())
          .as("it is signed as a whole")
          .isNotEmpty();
    }
  }

  private static ExportRequest after(UnitEnd unit) {
    return ExportRequest.newBuilder()
        .setResumeAfter(unit.cursor())
        .setResumeUnit(ByteString.copyFrom(unit.content()))
        .build();
  }

  @Test
  void whatIsSentAfterBlocksOfUnknownOriginIsNotSigned() {
    byte[] all = Transfer.blocks(source, ExportRequest.getDefaultInstance());
    FileCheck read = Transfer.read(Arrays.copyOf(all, all.length / 2));
    byte[] whole = Arrays.copyOf(all, (int) read.wholeTo());
    UnitEnd last = read.lastUnit().orElseThrow();

    byte[] resumed =
        Transfer.export(source, after(last).toBuilder().clearResumeUnit().build(), whole);

    assertThat(Transfer.read(resumed).signed()).isEmpty();
    UnitEnd ofEarlierRelease =
        new UnitEnd(
            last.unit(),
            last.id(),
            last.highWater(),
            last.cursor(),
            last.counts(),
            Optional.empty());
    assertThat(Transfer.read(Transfer.export(source, after(ofEarlierRelease), whole)).signed())
        .isEmpty();
  }

  @Test
  void anExportIsNotResumedAfterAUnitThatItsInstallationDidNotSend() {
    byte[] all = Transfer.blocks(source, ExportRequest.getDefaultInstance());
    UnitEnd sent = Transfer.read(Arrays.copyOf(all, all.length / 2)).lastUnit().orElseThrow();
    String point = sent.resume().orElseThrow();
    UnitEnd otherCounts =
        new UnitEnd(
            sent.unit(), sent.id(), sent.highWater(), sent.cursor(), Counts.NONE, sent.resume());

    refused(after(otherCounts));
    refused(after(sent.resumable(point.substring(1))));
    refused(after(sent.resumable("?")));
    refused(after(sent).toBuilder().setResumeAfter("TENANT:").build());
    String content = ByteString.copyFrom(sent.content()).toStringUtf8();
    for (String other : List.of(" " + content, content.replace("{", "{\"note\":1,"))) {
      refused(after(sent).toBuilder().setResumeUnit(ByteString.copyFromUtf8(other)).build());
    }
    refused(after(sent).toBuilder().setResumeUnit(ByteString.copyFromUtf8("no JSON")).build());
    Keys.make(Transfer.operator(source), "acme");
    refused(after(sent).toBuilder().setTenantId("acme").build());
  }

  @Test
  void anExportIsNotResumedOfATenantThatWasDeletedAndMadeAgain() {
    Keys.make(Transfer.operator(source), "acme");
    ExportRequest acme = ExportRequest.newBuilder().setTenantId("acme").build();
    byte[] all = Transfer.blocks(source, acme);
    UnitEnd sent = Transfer.read(Arrays.copyOf(all, all.length - 1)).lastUnit().orElseThrow();
    ExportRequest resume = after(sent).toBuilder().setTenantId("acme").build();
    assertThat(Transfer.blocks(source, resume)).as("it goes on").isNotEmpty();

    TenantServiceGrpc.newBlockingStub(Transfer.operator(source))
        .deleteTenant(DeleteTenantRequest.newBuilder().setTenantId("acme").build());
    Keys.make(Transfer.operator(source), "acme");

    refused(resume);
  }

  private void refused(ExportRequest request) {
    assertThatThrownBy(() -> Transfer.blocks(source, request))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("is no end of a unit that this installation has sent");
  }
}
