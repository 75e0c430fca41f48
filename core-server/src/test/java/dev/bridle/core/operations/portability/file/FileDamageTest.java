package dev.bridle.core.operations.portability.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.bridle.proof.hash.ChainedSha256;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedChunk;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FileDamageTest {

  @Test
  void aWholeFileIsRead() {
    byte[] file = file();
    FileCheck check = new FileCheck(block -> {});
    for (byte piece : file) {
      check.take(new byte[] {piece}, 0, 1);
    }

    assertThatCode(check::end).doesNotThrowAnyException();
    assertThat(check.header().tenant()).isEqualTo("default");
    assertThat(check.counts().chunks()).isEqualTo(4);
  }

  @Test
  void everyTruncationIsNoticed() {
    byte[] file = file();
    for (int length = 0; length < file.length; length++) {
      byte[] cut = Arrays.copyOf(file, length);
      assertThatThrownBy(() -> read(cut))
          .as("cut to %d", length)
          .isInstanceOf(DamagedFileException.class);
    }
  }

  @Test
  void everyFlippedBitIsNoticed() {
    byte[] file = file();
    for (int bit = 0; bit < file.length * 8; bit++) {
      byte[] flipped = file.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThatThrownBy(() -> read(flipped))
          .as("bit %d", bit)
          .isInstanceOf(DamagedFileException.class);
    }
  }

  @Test
  void aMissingAndAnExchangedBlockAreNoticed() {
    byte[] header = header();
    byte[] one = unit("a");
    byte[] two = unit("b");
    byte[] trailer = sealed(header, one, two);

    assertThatThrownBy(() -> read(joined(header, one, trailer)))
        .hasMessageContaining("parts are missing or were replaced");
    assertThatThrownBy(() -> read(joined(header, two, one, trailer)))
        .hasMessageContaining("parts are missing or were replaced");
    assertThatThrownBy(() -> read(joined(header, one, two, trailer, two)))
        .hasMessageContaining("after the trailer");
    assertThatThrownBy(() -> read(joined(header, one))).hasMessageContaining("no trailer");
  }

  @Test
  void whatIsNoJsonIsNamedByItsPlaceAndNotQuoted() {
    byte[] header = Block.encode(Block.HEADER, "{\"tenant\": secret}".getBytes(UTF_8));

    assertThatThrownBy(() -> read(joined(Block.magic(), header)))
        .isInstanceOf(DamagedFileException.class)
        .hasMessageEndingWith("the header at byte " + Block.magic().length + " is no JSON");
  }

  private static byte[] file() {
    byte[] header = header();
    byte[] one = unit("a");
    byte[] two = unit("b");
    return joined(header, one, two, sealed(header, one, two));
  }

  private static byte[] sealed(byte[]... parts) {
    FileCheck check = new FileCheck(block -> {});
    byte[] all = joined(parts);
    check.take(all, 0, all.length);
    return check.trailer(Optional.empty());
  }

  private static byte[] header() {
    return joined(
        Block.magic(),
        new Header(
                "tenant",
                "default",
                Optional.empty(),
                Optional.empty(),
                "installation_1",
                3,
                "event_1",
                "2026-11-21T10:00:00Z",
                "1.0")
            .block());
  }

  private static byte[] unit(String id) {
    BlockWriter writer = new BlockWriter(new ChainedSha256());
    for (int i = 0; i < 2; i++) {
      writer.add(
          ExportEntry.newBuilder()
              .setChunk(
                  ExportedChunk.newBuilder()
                      .setBlob(id)
                      .setNumber(i)
                      .setData(ByteString.copyFromUtf8("bytes of " + id)))
              .build());
    }
    writer.addWhole(
        new UnitEnd("session", id, "event_2", "c:" + id, new Counts(0, 0, 2, 0), Optional.empty())
            .block());
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Optional<byte[]> piece = writer.poll(); piece.isPresent(); piece = writer.poll()) {
      all.writeBytes(piece.get());
    }
    return all.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static void read(byte[] file) {
    FileCheck check = new FileCheck(block -> {});
    check.take(file, 0, file.length);
    check.end();
  }
}
