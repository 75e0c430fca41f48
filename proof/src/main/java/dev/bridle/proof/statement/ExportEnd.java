package dev.bridle.proof.statement;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.verify.Trust;

/**
 * The last line of an export: what was exported, so that nothing can be cut off unseen.
 *
 * @param issuer the issuer's id
 * @param tenantId the tenant whose receipts they are
 * @param chains how many chains have a statement in the export
 * @param receipts how many receipts it has
 * @param lines the hash of all lines before, each with its line feed
 * @param at when; RFC 3339
 */
public record ExportEnd(
    String issuer, String tenantId, long chains, long receipts, Sha256 lines, String at) {
  /** The format. */
  public static final String FORMAT = "bridle-export-end-1";

  /** Returns the statement as it is signed. */
  public ObjectNode toJson() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("format", FORMAT)
        .put("issuer", issuer)
        .put("tenant_id", tenantId)
        .put("chains", chains)
        .put("receipts", receipts)
        .put("sha256", lines.toString())
        .put(SignedStatement.AT, at);
  }

  /**
   * Reads a signed end, and compares it with the lines before it.
   *
   * @param lines the hash of the lines that stand before it
   * @return whether a key that is trusted has signed it
   * @throws InvalidStatementException as {@link SignedStatement#read}; if it is of other lines
   */
  public static boolean verify(byte[] json, Sha256 lines, Trust trust)
      throws InvalidStatementException {
    SignedStatement signed = SignedStatement.read(json, FORMAT, trust);
    SignedStatement.demand(
        signed.statement().path("sha256").asText().equals(lines.toString()),
        "it is the end of other lines than those before it");
    return signed.isProven();
  }
}
