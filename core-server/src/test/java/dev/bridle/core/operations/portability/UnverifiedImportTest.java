package dev.bridle.core.operations.portability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.RevokeSigningKeyRequest;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.ListArtifactsRequest;
import dev.bridle.core.operations.portability.file.Block;
import dev.bridle.core.operations.portability.file.BlockReader;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.memory.v1.CreateMemoryRequest;
import dev.bridle.memory.v1.MemoryContent;
import dev.bridle.memory.v1.MemoryScope;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.message.v1.Message;
import dev.bridle.proof.key.KeySet;
import dev.bridle.receipt.v1.IssueArtifactReceiptRequest;
import dev.bridle.receipt.v1.Receipt;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedRecord;
import dev.bridle.record.v1.ExportedStream;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.storage.layer.ImportStore;
import dev.bridle.storage.layer.KeyLayout;
import io.grpc.Channel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a file that nobody vouches for can do where it is imported, and what it can't. */
class UnverifiedImportTest extends ExportedTask {
  private static final int MESSAGE_PARTS_TAG =
      (Message.PARTS_FIELD_NUMBER << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private byte[] unsigned() {
    return RewrittenFile.of(file, entry -> entry);
  }

  @Test
  void receiptsThatAreMadeOfItHereSaySo() {
    var unused = Transfer.load(target, unsigned(), Transfer.into("apart").setUnverified(true));
    Channel owner = target.as(target.core().processCredential("apart", "ada", Set.of("*")));
    String artifact =
        ArtifactServiceGrpc.newBlockingStub(owner)
            .listArtifacts(ListArtifactsRequest.newBuilder().setTaskId(task).build())
            .getData(0)
            .getId();

    Receipt receipt =
        ReceiptServiceGrpc.newBlockingStub(owner)
            .issueArtifactReceipt(
                IssueArtifactReceiptRequest.newBuilder().setArtifactId(artifact).build());

    assertThat(receipt.getWire().getPayload().toStringUtf8())
        .contains("\"bridle.imported\":{")
        .contains("\"verified\":false");
  }

  @Test
  void aTenantThatSomebodyHasPreparedIsInUse() {
    var unused =
        MemoryServiceGrpc.newBlockingStub(target.owner())
            .createMemory(
                CreateMemoryRequest.newBuilder()
                    .setScope(MemoryScope.MEMORY_SCOPE_TENANT)
                    .setOwnerId("default")
                    .setContent(MemoryContent.newBuilder().setText("true"))
                    .setProvenance(ByteString.copyFromUtf8("{\"event_id\":\"event_7\"}"))
                    .build());

    assertThatThrownBy(
            () -> Transfer.load(target, unsigned(), Transfer.into("default").setUnverified(true)))
        .hasMessageContaining("is in use: choose a new one");
  }

  @Test
  void itsEraLeavesTheNameOfItsTenantOthers() {
    byte[] last = withEra(file, 65_000);

    assertThatThrownBy(
            () -> Transfer.load(target, last, Transfer.into("apart").setUnverified(true)))
        .hasMessageContaining("would leave the tenant few more");
    assertThat(Transfer.load(target, file, Transfer.into("apart")).getEvents()).isPositive();
  }

  static byte[] withEra(byte[] file, int era) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(Block.magic());
    BlockReader reader =
        BlockReader.whole(
            block -> {
              if (block.type() == Block.HEADER) {
                String json = new String(block.content(), UTF_8);
                String changed = json.replaceFirst("\"era\":\\d+", "\"era\":" + era);
                out.writeBytes(Block.encode(Block.HEADER, changed.getBytes(UTF_8)));
              } else if (block.type() != Block.TRAILER) {
                out.writeBytes(Block.encode(block.type(), block.content()));
              }
            });
    reader.take(file, 0, file.length);
    return Transfer.sealed(out.toByteArray());
  }

  @Test
  void aBlockOfEntriesWithoutContentIsRefusedBeforeTheyAreHeldInMemory() {
    byte[] zeros = new byte[14_000_000];

    assertThatThrownBy(() -> Transfer.load(target, withBlock(zeros)))
        .hasMessageContaining("has an empty entry");
  }

  @Test
  void aBlockOfMoreEntriesThanAnExportHasIsRefused() {
    byte[] small =
        ExportEntry.newBuilder().setStream(ExportedStream.newBuilder()).build().toByteArray();
    ByteArrayOutputStream many = new ByteArrayOutputStream();
    for (int i = 0; i <= 20_000; i++) {
      many.write(small.length);
      many.writeBytes(small);
    }

    assertThatThrownBy(() -> Transfer.load(target, withBlock(many.toByteArray())))
        .hasMessageContaining("has more than 20000 entries");
  }

  @Test
  void aRecordOfMoreFieldsThanAnythingHasIsRefusedBeforeItIsParsed() {
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    for (int i = 0; i <= 500_000; i++) {
      parts.write(MESSAGE_PARTS_TAG);
      parts.write(0);
    }
    ExportEntry bomb =
        ExportEntry.newBuilder()
            .setRecord(
                ExportedRecord.newBuilder()
                    .setKind(MessageStore.MESSAGE.number())
                    .setId("message_1")
                    .setRecord(ByteString.copyFrom(parts.toByteArray())))
            .build();

    assertThat(Message.getDescriptor().findFieldByNumber(MESSAGE_PARTS_TAG >> 3).getName())
        .isEqualTo("parts");
    assertThatThrownBy(() -> Transfer.load(target, withBlock(delimited(bomb.toByteArray()))))
        .hasMessageContaining("more fields than anything that is stored");
  }

  @Test
  void aGroupInARecordIsRefusedSinceNobodyCountsWhatItHas() {
    byte[] group = {(byte) 0xa3, 0x06, 0x0b, 0x10, 0x00, 0x0c, (byte) 0xa4, 0x06};
    ExportEntry record =
        ExportEntry.newBuilder()
            .setRecord(
                ExportedRecord.newBuilder()
                    .setKind(MessageStore.MESSAGE.number())
                    .setId("message_1")
                    .setRecord(ByteString.copyFrom(group)))
            .build();

    assertThatThrownBy(() -> Transfer.load(target, withBlock(delimited(record.toByteArray()))))
        .hasMessageContaining("has a group");
  }

  private static byte[] delimited(byte[] entry) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      CodedOutputStream coded = CodedOutputStream.newInstance(out);
      coded.writeByteArrayNoTag(entry);
      coded.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private byte[] withBlock(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(Block.magic());
    BlockReader reader =
        BlockReader.whole(
            block -> {
              if (block.type() == Block.UNIT) {
                out.writeBytes(Block.encode(Block.DATA, content));
              }
              if (block.type() != Block.TRAILER) {
                out.writeBytes(Block.encode(block.type(), block.content()));
              }
            });
    reader.take(file, 0, file.length);
    return Transfer.sealed(out.toByteArray());
  }

  @Test
  void anImportThatEndedBeforeItsLastWriteGoesOn() {
    var unused = Transfer.load(target, file);
    endBeforeTheLastWrite("default");

    ImportSummary again = Transfer.load(target, file);

    assertThat(again.getAlreadyLoaded()).isFalse();
    assertThat(Transfer.load(target, file).getAlreadyLoaded()).isTrue();
  }

  @Test
  void anImportThatBeganVerifiedDoesNotEndUnverified() {
    var unused = Transfer.load(target, file);
    endBeforeTheLastWrite("default");
    var unusedToo =
        OAuthAdminServiceGrpc.newBlockingStub(target.operator())
            .revokeSigningKey(
                RevokeSigningKeyRequest.newBuilder()
                    .setKeyId(
                        KeySet.parse(RewrittenFile.keys(file).toByteArray()).keys().get(0).id())
                    .setCompromisedSince(Timestamps.fromMillis(1000))
                    .build());

    assertThatThrownBy(
            () -> Transfer.load(target, file, Transfer.into("default").setUnverified(true)))
        .hasMessageContaining("This file verified when its import began, and does not now");
  }

  @Test
  void anImportThatBeganUnverifiedGoesOnSoAlsoIfItsFileVerifiesByNow() {
    var unused = Transfer.loadWithoutKeys(target, file, Transfer.into("apart").setUnverified(true));
    endBeforeTheLastWrite("apart");

    assertThatThrownBy(() -> Transfer.load(target, file, Transfer.into("apart")))
        .hasMessageContaining("was imported unverified");
    ImportSummary done = Transfer.load(target, file, Transfer.into("apart").setUnverified(true));

    assertThat(done.getAlreadyLoaded()).isFalse();
    assertThat(done.getSignedByKeyId()).isEmpty();
    assertThat(done.getFaults(0)).contains("begun unverified");
    assertThat(
            Transfer.read(
                    Transfer.export(
                        target, ExportRequest.newBuilder().setTenantId("apart").build()))
                .signed())
        .isEmpty();
  }

  private void endBeforeTheLastWrite(String tenant) {
    byte[] sha256 = Transfer.read(file).end();
    ImportStore imports = new ImportStore(KeyLayout.root());
    target
        .store()
        .transact(
            tr -> {
              byte[] record = imports.find(tr, tenant, sha256).orElseThrow();
              imports.put(tr, tenant, sha256, unfinished(record).toByteArray());
              return true;
            });
  }

  private static ImportRecord unfinished(byte[] record) {
    try {
      return ImportRecord.parseFrom(record).toBuilder().clearFinishedAt().build();
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }
}
