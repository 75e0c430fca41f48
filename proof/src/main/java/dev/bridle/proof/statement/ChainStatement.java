package dev.bridle.proof.statement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.WholeNumber;
import dev.bridle.proof.verify.ChainEnd;
import dev.bridle.proof.verify.Trust;
import java.util.Optional;

/**
 * What an issuer says of a session's chain: how far it reached at a time.
 *
 * @param issuer the issuer's id
 * @param sessionId the session
 * @param end the count of its receipts, the first and the last of them, and the root over all
 * @param era the era of the issuer's storage
 * @param isPartial whether the issuer lacks receipts of the chain, of which it has no copies
 * @param at when; RFC 3339
 */
public record ChainStatement(
    String issuer, String sessionId, ChainEnd end, long era, boolean isPartial, String at) {
  /** The format. */
  public static final String FORMAT = "bridle-chain-1";

  /** Returns the statement as it is signed. */
  public ObjectNode toJson() {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("format", FORMAT)
            .put("issuer", issuer)
            .put("session_id", sessionId)
            .put("count", end.count())
            .put("era", era)
            .put("partial", isPartial)
            .put("merkle_root", end.root().toString())
            .put(SignedStatement.AT, at);
    end.first().ifPresent(hash -> json.put("first", hash.toString()));
    end.last().ifPresent(hash -> json.put("last", hash.toString()));
    return json;
  }

  /** A statement, and whether a key that is trusted has signed it. */
  public record Verified(ChainStatement statement, boolean isProven) {}

  /**
   * Reads a signed statement.
   *
   * @throws InvalidStatementException as {@link SignedStatement#read}
   */
  public static Verified read(byte[] json, Trust trust) throws InvalidStatementException {
    SignedStatement signed = SignedStatement.read(json, FORMAT, trust);
    return new Verified(parse(signed.statement()), signed.isProven());
  }

  private static ChainStatement parse(ObjectNode json) throws InvalidStatementException {
    long count = count(json, "count");
    SignedStatement.demand(count > 0, "a chain without receipts has no statement");
    SignedStatement.demand(json.path("session_id").isTextual(), "`session_id` is no string");
    SignedStatement.demand(json.path("partial").isBoolean(), "`partial` is no boolean");
    boolean isPartial = json.path("partial").asBoolean();
    Optional<Sha256> first =
        isPartial && !json.has("first") ? Optional.empty() : Optional.of(hash(json, "first"));
    return new ChainStatement(
        json.path("issuer").asText(),
        json.path("session_id").asText(),
        new ChainEnd(count, first, Optional.of(hash(json, "last")), hash(json, "merkle_root")),
        count(json, "era"),
        isPartial,
        json.path(SignedStatement.AT).asText());
  }

  private static long count(JsonNode json, String name) throws InvalidStatementException {
    return WholeNumber.countOf(json.path(name))
        .orElseThrow(() -> new InvalidStatementException("`" + name + "` is no count"));
  }

  private static Sha256 hash(JsonNode json, String name) throws InvalidStatementException {
    return Sha256.parse(json.path(name).asText())
        .orElseThrow(() -> new InvalidStatementException("`" + name + "` is no hash"));
  }
}
