package dev.bridle.core.api.discovery;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.crypto.tink.subtle.Ed25519Sign;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.kernel.signing.SigningPurpose;
import dev.bridle.discovery.v1.CardSignature;
import dev.bridle.discovery.v1.HarnAgentCard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.erdtman.jcs.JsonCanonicalizer;

/**
 * Signs this server's agent card: Ed25519 over the RFC 8785 form of the card as it is served,
 * without its member {@code signature}. Signs no card with a public URL other than this server's,
 * since the card can be requested without authentication.
 */
public final class CardSigner implements UnaryOperator<HarnAgentCard> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ALGORITHM = "ed25519";
  private static final String SIGNATURE =
      HarnAgentCard.getDescriptor()
          .findFieldByNumber(HarnAgentCard.SIGNATURE_FIELD_NUMBER)
          .getName();

  private final SigningKeys keys;
  private final Supplier<Optional<String>> publicUrl;
  // Cached, since most requests are for the same card.
  private volatile Optional<Signed> last = Optional.empty();

  /**
   * Creates a signer that uses the current key.
   *
   * @param publicUrl the server's public URL, once that is known
   */
  public CardSigner(SigningKeys keys, Supplier<Optional<String>> publicUrl) {
    this.keys = keys;
    this.publicUrl = publicUrl;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Signed(byte[] content, CardSignature signature) {}

  /** Returns the card with its signature; unchanged if this server must not or cannot sign it. */
  @Override
  public HarnAgentCard apply(HarnAgentCard card) {
    boolean ours = publicUrl.get().filter(card.getPublicUrl()::equals).isPresent();
    return ours && keys.canSign()
        ? card.toBuilder().setSignature(signature(content(card))).build()
        : card;
  }

  /** Returns the bytes of a card that are signed. */
  static byte[] content(HarnAgentCard card) {
    try {
      ObjectNode served = (ObjectNode) JSON.readTree(ResourceJson.whole(card).toByteArray());
      served.remove(SIGNATURE);
      return new JsonCanonicalizer(JSON.writeValueAsBytes(served)).getEncodedUTF8();
    } catch (IOException e) {
      throw new UncheckedIOException("the card can't be serialized", e);
    }
  }

  private CardSignature signature(byte[] content) {
    OctetKeyPair key = keys.current(SigningPurpose.CARD);
    Optional<Signed> known =
        last.filter(one -> one.signature().getKeyId().equals(key.getKeyID()))
            .filter(one -> Arrays.equals(one.content(), content));
    if (known.isEmpty()) {
      CardSignature made =
          CardSignature.newBuilder()
              .setAlgorithm(ALGORITHM)
              .setKeyId(key.getKeyID())
              .setValue(sign(key, content))
              .build();
      last = Optional.of(new Signed(content, made));
      return made;
    }
    return known.get().signature();
  }

  private static String sign(OctetKeyPair key, byte[] content) {
    try {
      return Base64URL.encode(new Ed25519Sign(key.getD().decode()).sign(content)).toString();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the card can't be signed", e);
    }
  }
}
