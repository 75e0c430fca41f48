package dev.bridle.core.operations.portability.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.ChainedSha256;
import dev.bridle.proof.hash.Sha256;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Validates a file while it is read or written: its blocks, their order, and the totals in the
 * trailer. Also builds the trailer of a file that is written.
 */
public final class FileCheck {
  private final Consumer<Block> to;
  private final BlockReader reader = BlockReader.whole(this::block);
  private final MessageDigest digest = sha256();
  private final ChainedSha256 blocks = new ChainedSha256();
  private Optional<Header> header = Optional.empty();
  private Optional<UnitEnd> lastUnit = Optional.empty();
  private Optional<byte[]> trailerSha256 = Optional.empty();
  private Optional<byte[]> signed = Optional.empty();
  private Counts counts = Counts.NONE;
  private long units;
  private long wholeTo;
  private boolean unitOpen;

  /** Creates a check that passes on the file's blocks. */
  public FileCheck(Consumer<Block> to) {
    this.to = to;
    digest.update(Block.MAGIC);
    blocks.add(Block.MAGIC);
  }

  /**
   * Accepts the next bytes.
   *
   * @throws DamagedFileException if they are not part of an export file
   */
  public void take(byte[] bytes, int from, int length) {
    reader.take(bytes, from, length);
  }

  /**
   * Checks that the file is complete.
   *
   * @return the SHA-256 of everything before the trailer
   */
  public byte[] end() {
    reader.end();
    return trailerSha256.orElseThrow(
        () ->
            new DamagedFileException(
                "the file has no trailer: its export broke off; go on with 'bridle export"
                    + " --resume'"));
  }

  /** Returns the header, once it has been read. */
  public Header header() {
    return header.orElseThrow(() -> new DamagedFileException("the file has no header"));
  }

  /** Returns the last complete unit. */
  public Optional<UnitEnd> lastUnit() {
    return lastUnit;
  }

  /** Returns the offset of the end of the last complete unit; 0 without a complete header. */
  public long wholeTo() {
    return wholeTo;
  }

  /** Returns whether the trailer has been read. */
  public boolean complete() {
    return trailerSha256.isPresent();
  }

  /** Returns the counts of the complete units. */
  public Counts counts() {
    return counts;
  }

  /** Returns the chained hash of the blocks before the trailer, which the file's server signs. */
  public Sha256 blocks() {
    return blocks.soFar();
  }

  /**
   * Returns the statement of the file's server about it, with its signature, which is not verified
   * here; empty if the trailer has none.
   */
  public Optional<byte[]> signed() {
    return signed.map(byte[]::clone);
  }

  /**
   * Returns the trailer's block for what has been read.
   *
   * @param signed the statement of the file's server about it, with its signature, as JSON
   */
  public byte[] trailer(Optional<byte[]> signed) {
    byte[] sha256 = copy().digest();
    ObjectNode json = FileJson.object().put("units", units).put("bytes", wholeTo);
    counts.writeTo(json).put("sha256", HexFormat.of().formatHex(sha256));
    signed.ifPresent(statement -> json.set("signed", FileJson.parse(statement)));
    return Block.encode(Block.TRAILER, FileJson.bytes(json));
  }

  private void block(Block block) {
    if (complete()) {
      throw new DamagedFileException("there is something after the trailer");
    }
    boolean first = header.isEmpty();
    if (first != (block.type() == Block.HEADER)) {
      throw new DamagedFileException("the header is not the file's first block");
    }
    switch (block.type()) {
      case Block.HEADER -> {
        header = Optional.of(Header.read(block));
        wholeTo = block.end();
      }
      case Block.DATA -> unitOpen = true;
      case Block.UNIT -> {
        UnitEnd unit = UnitEnd.read(block);
        lastUnit = Optional.of(unit);
        counts = counts.plus(unit.counts());
        units++;
        unitOpen = false;
        wholeTo = block.end();
      }
      case Block.TRAILER -> trailer(block);
      default ->
          throw new DamagedFileException(
              "the block at byte " + block.begin() + " is of no known type");
    }
    if (block.type() != Block.TRAILER) {
      byte[] encoded = Block.encode(block.type(), block.content());
      digest.update(encoded);
      blocks.add(encoded);
    }
    to.accept(block);
  }

  private void trailer(Block block) {
    JsonNode json = FileJson.parse(block, "trailer");
    byte[] sha256 = copy().digest();
    boolean fits =
        !unitOpen
            && json.path("units").asLong() == units
            && json.path("bytes").asLong() == block.begin()
            && Counts.read(json).equals(counts)
            && json.path("sha256").asText().equals(HexFormat.of().formatHex(sha256));
    if (!fits) {
      throw new DamagedFileException(
          "the file does not match its trailer: parts are missing or were replaced");
    }
    trailerSha256 = Optional.of(sha256);
    signed = Optional.of(json.path("signed")).filter(JsonNode::isObject).map(FileJson::bytes);
  }

  private MessageDigest copy() {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
