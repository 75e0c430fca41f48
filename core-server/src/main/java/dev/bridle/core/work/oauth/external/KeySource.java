package dev.bridle.core.work.oauth.external;

import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;

/** Where the keys of an issuer come from. */
interface KeySource {
  /** Fetches the keys; bounded in size and time. */
  JWKSet fetch() throws IOException;
}
