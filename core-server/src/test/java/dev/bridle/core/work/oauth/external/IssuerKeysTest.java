package dev.bridle.core.work.oauth.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.OctetKeyPairGenerator;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import dev.bridle.core.kernel.error.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IssuerKeysTest {
  private final List<JWK> published = new ArrayList<>();
  private boolean reachable = true;
  private int asked;
  private long now;
  private final IssuerKeys keys = new IssuerKeys("https://id.example", new Published(), () -> now);

  @Test
  void aNewKeyIsFetchedAndInventedOnesAreAskedForTwiceInAnInterval() throws Exception {
    publish("k1");
    assertThat(keys.find("k1")).isPresent();
    publish("k2");
    assertThat(keys.find("k2")).as("the second fetch of the interval").isPresent();
    for (int i = 0; i < 100; i++) {
      assertThat(keys.find("invented " + i)).isEmpty();
    }
    assertThat(asked).isEqualTo(2);
    pass(IssuerKeys.PAUSE);
    publish("k3");
    assertThat(keys.find("k3")).isPresent();
  }

  @Test
  void aKeyThatIsPublishedNoMoreEndsOnceTheKeysAreOld() throws Exception {
    publish("k1");
    publish("k2");
    assertThat(keys.find("k1")).isPresent();
    published.remove(0);
    pass(IssuerKeys.FRESH.minusMillis(1));
    assertThat(keys.find("k1")).isPresent();
    pass(Duration.ofMillis(2));
    assertThat(keys.find("k1")).isEmpty();
    assertThat(keys.find("k2")).isPresent();
  }

  @Test
  void keysAreUsedForAWhileWhereTheIssuerCantBeReachedAndNoLonger() throws Exception {
    publish("k1");
    assertThat(keys.find("k1")).isPresent();
    reachable = false;
    pass(IssuerKeys.USABLE.minusMillis(1));
    assertThat(keys.find("k1")).isPresent();
    pass(IssuerKeys.FRESH.plusMillis(2));
    assertThatThrownBy(() -> keys.find("k1")).isInstanceOf(ProtocolException.class);
    reachable = true;
    pass(IssuerKeys.PAUSE);
    assertThat(keys.find("k1")).isPresent();
  }

  private void publish(String id) throws JOSEException {
    published.add(new OctetKeyPairGenerator(Curve.Ed25519).keyID(id).generate().toPublicJWK());
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private final class Published implements JWKSetSource<SecurityContext> {
    @Override
    public JWKSet getJWKSet(
        JWKSetCacheRefreshEvaluator refresh, long currentTime, SecurityContext context)
        throws JWKSetUnavailableException {
      asked++;
      if (!reachable) {
        throw new JWKSetUnavailableException("nobody answers");
      }
      return new JWKSet(List.copyOf(published));
    }

    @Override
    public void close() {}
  }
}
