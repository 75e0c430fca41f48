package dev.bridle.proof.key;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.bridle.proof.hash.Sha256;

/** The id of a key: RFC 7638 over the required members of an OKP key (RFC 8037, section 2). */
final class Thumbprint {
  private Thumbprint() {}

  static String of(byte[] publicKey) {
    String members =
        "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"" + Base64Url.encode(publicKey) + "\"}";
    return Base64Url.encode(Sha256.of(members.getBytes(US_ASCII)).bytes());
  }
}
