package dev.bridle.core.work.oauth.external;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.Ed25519Verifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import java.util.Optional;
import java.util.Set;

/**
 * Verifies signatures with public keys of any kind that issuers use. The key decides which
 * algorithms there may be, never the token alone.
 */
final class Signatures {
  private static final Set<JWSAlgorithm> RSA =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512);
  private static final int MIN_RSA_BITS = 2048;

  private Signatures() {}

  /** Returns whether a token's signature is that of a key. */
  static boolean verify(SignedJWT token, JWK key) {
    JWSAlgorithm algorithm = token.getHeader().getAlgorithm();
    if (key.getKeyUse() != null && !key.getKeyUse().equals(KeyUse.SIGNATURE)) {
      return false;
    }
    if (key.getAlgorithm() != null && !key.getAlgorithm().equals(algorithm)) {
      return false;
    }
    try {
      Optional<JWSVerifier> verifier = verifier(key, algorithm);
      return verifier.isPresent() && token.verify(verifier.get());
    } catch (JOSEException | IllegalStateException e) {
      return false;
    }
  }

  private static Optional<JWSVerifier> verifier(JWK key, JWSAlgorithm algorithm)
      throws JOSEException {
    if (key instanceof OctetKeyPair pair
        && Curve.Ed25519.equals(pair.getCurve())
        && algorithm.equals(JWSAlgorithm.EdDSA)) {
      return Optional.of(new Ed25519Verifier(pair.toPublicJWK()));
    }
    if (key instanceof ECKey ec && ofCurve(ec.getCurve(), algorithm)) {
      return Optional.of(new ECDSAVerifier(ec.toPublicJWK()));
    }
    if (key instanceof RSAKey rsa && rsa.size() >= MIN_RSA_BITS && RSA.contains(algorithm)) {
      return Optional.of(new RSASSAVerifier(rsa.toPublicJWK()));
    }
    return Optional.empty();
  }

  private static boolean ofCurve(Curve curve, JWSAlgorithm algorithm) {
    return (curve.equals(Curve.P_256) && algorithm.equals(JWSAlgorithm.ES256))
        || (curve.equals(Curve.P_384) && algorithm.equals(JWSAlgorithm.ES384))
        || (curve.equals(Curve.P_521) && algorithm.equals(JWSAlgorithm.ES512));
  }
}
