package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One event of a task's log, as {@code GET /v1/tasks/{id}/log} writes it: a line of JSON.
 *
 * @param digested the canonical JSON that the log's digest is over, without the line feed
 * @param disclosed the payload with its salt; empty if it is erased or not disclosed
 */
record LogLine(
    long sequence,
    String event,
    Instant createdAt,
    String actor,
    Sha256 commitment,
    String digested,
    Optional<Disclosed> disclosed) {
  private static final Set<String> ALWAYS =
      Set.of("actor", "commitment", "created_at", "event", "sequence");
  private static final List<String> DISCLOSED = List.of("payload", "salt");
  private static final int SALT_BYTES = 16;
  private static final HexFormat HEX = HexFormat.of();

  /**
   * A payload.
   *
   * @param salt of its commitment, in hexadecimal
   */
  record Disclosed(String payload, String salt) {
    Sha256 commitment() {
      return Sha256.of(HEX.parseHex(salt), new byte[1], payload.getBytes(UTF_8));
    }
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it has another form; its message says what is wrong
   */
  static LogLine parse(byte[] bytes) {
    JsonNode json = StrictJson.parse(bytes, StrictJson.LARGEST);
    if (!(json instanceof ObjectNode line)) {
      throw new IllegalArgumentException("no object");
    }
    Set<String> names = new TreeSet<>();
    line.fieldNames().forEachRemaining(names::add);
    boolean discloses = names.containsAll(DISCLOSED);
    if (discloses) {
      names.removeAll(DISCLOSED);
    }
    if (!names.equals(ALWAYS)) {
      throw new IllegalArgumentException("the members " + names);
    }
    Optional<Disclosed> disclosed =
        discloses
            ? Optional.of(new Disclosed(text(line, "payload"), salt(text(line, "salt"))))
            : Optional.empty();
    line.remove(DISCLOSED);
    return new LogLine(
        sequence(line.get("sequence")),
        text(line, "event"),
        time(text(line, "created_at")),
        text(line, "actor"),
        Sha256.parse(text(line, "commitment"))
            .orElseThrow(() -> new IllegalArgumentException("a `commitment` that is no hash")),
        new String(CanonicalJson.bytes(line), UTF_8),
        disclosed);
  }

  private static String text(JsonNode line, String name) {
    if (!line.get(name).isTextual()) {
      throw new IllegalArgumentException("`" + name + "` that is no text");
    }
    return line.get(name).textValue();
  }

  private static long sequence(JsonNode number) {
    if (!number.isIntegralNumber() || number.longValue() < 0) {
      throw new IllegalArgumentException("`sequence` that is no count");
    }
    return number.longValue();
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("`created_at` that is no time", e);
    }
  }

  private static String salt(String hex) {
    if (hex.length() != 2 * SALT_BYTES || !hex.chars().allMatch(HexFormat::isHexDigit)) {
      throw new IllegalArgumentException(
          "`salt` that has not " + SALT_BYTES + " bytes in hexadecimal");
    }
    return hex;
  }

  /**
   * Returns the payload as JSON; empty if it is not disclosed, or of a kind that readers may see
   * different values in, such as numbers of an agent beyond 2^53.
   */
  Optional<JsonNode> json() {
    if (disclosed.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          StrictJson.parse(disclosed.get().payload().getBytes(UTF_8), StrictJson.LARGEST));
    } catch (InvalidJsonException e) {
      return Optional.empty();
    }
  }
}
