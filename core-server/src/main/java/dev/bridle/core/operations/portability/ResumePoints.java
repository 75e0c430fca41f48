package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.RequestHash;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.operations.portability.file.Block;
import dev.bridle.core.operations.portability.file.DamagedFileException;
import dev.bridle.core.operations.portability.file.UnitEnd;
import dev.bridle.proof.hash.ChainedSha256;
import dev.bridle.proof.hash.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The points at which one export can be resumed and still be signed as a whole. The end of a unit
 * carries the hash of the blocks before it, with a keyed hash that only this installation can make:
 * so it knows what it has sent, and keeps nothing of it.
 */
final class ResumePoints {
  private static final int HASH_BYTES = 32;

  private final RequestHash keyed;
  private final byte[] exported;

  /**
   * Creates those of an export.
   *
   * @param exported what is exported, in words that no other export has
   */
  ResumePoints(RequestHash keyed, List<String> exported) {
    this.keyed = keyed;
    this.exported = (String.join("\n", exported) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the end of a unit that comes after blocks with a hash. */
  UnitEnd at(UnitEnd end, Sha256 before) {
    byte[] point = Arrays.copyOf(before.bytes(), 2 * HASH_BYTES);
    System.arraycopy(tag(end, before), 0, point, HASH_BYTES, HASH_BYTES);
    return end.resumable(Base64.getUrlEncoder().withoutPadding().encodeToString(point));
  }

  /**
   * Returns the hash of all blocks up to the end of a unit.
   *
   * @param content the content of the last block of the interrupted file
   * @return empty if nothing of it can be signed, since an earlier release has begun it
   * @throws ProtocolException if this installation has not sent it for the same export
   */
  Optional<ChainedSha256> after(ByteString content, String cursor) {
    if (content.isEmpty()) {
      return Optional.empty();
    }
    UnitEnd end = parse(content);
    if (end.resume().isEmpty()) {
      return Optional.empty();
    }
    byte[] point = decoded(end.resume().get());
    boolean isAsSent = Arrays.equals(end.content(), content.toByteArray());
    if (point.length != 2 * HASH_BYTES || !isAsSent || !end.cursor().equals(cursor)) {
      throw notSent();
    }
    Sha256 before = Sha256.ofBytes(Arrays.copyOf(point, HASH_BYTES));
    byte[] tag = Arrays.copyOfRange(point, HASH_BYTES, point.length);
    if (!MessageDigest.isEqual(tag, tag(end, before))) {
      throw notSent();
    }
    ChainedSha256 blocks = ChainedSha256.after(before);
    blocks.add(Block.encode(Block.UNIT, content.toByteArray()));
    return Optional.of(blocks);
  }

  private byte[] tag(UnitEnd end, Sha256 before) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(exported);
    all.writeBytes(before.bytes());
    all.writeBytes(end.unsealed());
    return keyed.of(all.toByteArray());
  }

  private static UnitEnd parse(ByteString content) {
    try {
      return UnitEnd.parse(content.toByteArray());
    } catch (DamagedFileException e) {
      throw notSent();
    }
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw notSent();
    }
  }

  private static ProtocolException notSent() {
    return ProtocolException.invalid(
        "resume_unit", "is no end of a unit that this installation has sent; start another file");
  }
}
