package dev.bridle.proof.statement;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.verify.Trust;

/**
 * What an installation says of an export file: that it has sent all of its blocks, in this order.
 *
 * @param issuer the installation's id, as in the header of the file
 * @param tenantId the exported tenant, as in the header of the file
 * @param blocks the chained hash of all blocks before the trailer, the first of which is the file's
 *     magic bytes
 * @param at when; RFC 3339
 */
public record FileStatement(String issuer, String tenantId, Sha256 blocks, String at) {
  /** The format. */
  public static final String FORMAT = "bridle-export-file-1";

  /** Returns the statement as it is signed. */
  public ObjectNode toJson() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("format", FORMAT)
        .put("issuer", issuer)
        .put("tenant_id", tenantId)
        .put("blocks", blocks.toString())
        .put(SignedStatement.AT, at);
  }

  /**
   * A statement that was read.
   *
   * @param statement what it says
   * @param keyId the key that its signature names
   * @param isProven whether that is trusted, and has signed it
   */
  public record Verified(FileStatement statement, String keyId, boolean isProven) {}

  /**
   * Reads a signed statement.
   *
   * @throws InvalidStatementException as {@link SignedStatement#read}
   */
  public static Verified read(byte[] json, Trust trust) throws InvalidStatementException {
    SignedStatement signed = SignedStatement.read(json, FORMAT, trust);
    ObjectNode statement = signed.statement();
    Sha256 blocks =
        Sha256.parse(statement.path("blocks").asText())
            .orElseThrow(() -> new InvalidStatementException("`blocks` is no hash"));
    return new Verified(
        new FileStatement(
            statement.path("issuer").asText(),
            statement.path("tenant_id").asText(),
            blocks,
            statement.path(SignedStatement.AT).asText()),
        signed.keyId(),
        signed.isProven());
  }
}
