package dev.bridle.proof.statement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.proof.receipt.ReceiptSignature;
import dev.bridle.proof.schema.Rfc3339;
import dev.bridle.proof.verify.Trust;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * A statement with its signature: {@code {"statement":{…},"signature":{…}}}. The signature is over
 * the canonical JSON of the statement, whose {@code format} says what it is: a key signs receipts
 * by the text of their hash, so neither can be taken for the other.
 *
 * @param statement the members that are signed
 * @param keyId the key that its signature names
 * @param isProven whether a key that is trusted has signed it while it was valid; else it says what
 *     anybody may have written
 */
public record SignedStatement(ObjectNode statement, String keyId, boolean isProven) {
  /** The member with the time, of which a signature has a copy. */
  public static final String AT = "at";

  private static final Set<String> MEMBERS = Set.of("signature", "statement");

  /** Copies the statement. */
  public SignedStatement {
    statement = statement.deepCopy();
  }

  /** Returns a copy of the statement. */
  @Override
  public ObjectNode statement() {
    return statement.deepCopy();
  }

  /**
   * Reads a statement, and verifies its signature as far as there are keys.
   *
   * @param format what it has to be
   * @throws InvalidStatementException if it is none of that format; if its signature is wrong; if
   *     the keys are trusted, and none of them has signed it while it was valid
   */
  public static SignedStatement read(byte[] json, String format, Trust trust)
      throws InvalidStatementException {
    JsonNode signed = parse(json);
    if (!names(signed).equals(MEMBERS)
        || !(signed.get("statement") instanceof ObjectNode statement)
        || !signed.get("signature").isObject()) {
      throw new InvalidStatementException(
          "its members are not `signature` and `statement`, both objects");
    }
    if (!statement.path("format").asText().equals(format)) {
      throw new InvalidStatementException("its format is not " + format);
    }
    JsonNode signature = signed.get("signature");
    return new SignedStatement(statement, keyOf(signature), isProven(statement, signature, trust));
  }

  private static JsonNode parse(byte[] json) throws InvalidStatementException {
    try {
      return StrictJson.parse(json);
    } catch (InvalidJsonException e) {
      throw new InvalidStatementException(e.getMessage());
    }
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    for (Iterator<String> all = object.fieldNames(); all.hasNext(); ) {
      names.add(all.next());
    }
    return names;
  }

  private static String keyOf(JsonNode signature) {
    return signature.path("key_id").asText();
  }

  private static boolean isProven(ObjectNode statement, JsonNode signature, Trust trust)
      throws InvalidStatementException {
    String id = keyOf(signature);
    Optional<VerificationKey> key = trust.keys().find(id);
    if (key.isEmpty()) {
      demand(!trust.isProven(), "the key " + id + " is not in the key set");
      return false;
    }
    demand(
        signature.path("algorithm").asText().equals(ReceiptSignature.ED25519)
            && Base64Url.decode(signature.path("signature").asText())
                .filter(bytes -> key.get().verifies(CanonicalJson.bytes(statement), bytes))
                .isPresent(),
        "the key " + id + " has not signed it");
    OptionalLong at = Rfc3339.epochSecond(statement.path(AT).asText());
    demand(
        at.isPresent() && signature.path("signed_at").equals(statement.path(AT)),
        "it was signed at another time than it states");
    Optional<String> fault = key.get().validity().faultAt(at.getAsLong());
    demand(fault.isEmpty(), fault.orElse(""));
    return trust.isProven() && key.get().validity().doubtAt(at.getAsLong()).isEmpty();
  }

  static void demand(boolean holds, String why) throws InvalidStatementException {
    if (!holds) {
      throw new InvalidStatementException(why);
    }
  }
}
