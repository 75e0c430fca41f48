package dev.bridle.core.work.oauth.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.OctetKeyPairGenerator;
import dev.bridle.core.kernel.error.ProtocolException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CachedKeysTest {
  private final List<JWK> published = new ArrayList<>();
  private boolean reachable = true;
  private int asked;
  private long now;
  private final CachedKeys keys = new CachedKeys("https://id.example", this::fetch, () -> now);

  @Test
  void aKeyThatIsNewIsFoundButUnknownOnesAskNoMoreThanNowAndThen() throws Exception {
    publish("k1");
    assertThat(keys.find("k1")).isPresent();
    publish("k2");
    assertThat(keys.find("k2")).as("within the pause after the first fetch").isEmpty();
    assertThat(asked).isEqualTo(1);
    pass(CachedKeys.PAUSE);
    assertThat(keys.find("k2")).isPresent();
    for (int i = 0; i < 100; i++) {
      assertThat(keys.find("made up " + i)).isEmpty();
    }
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void aKeyThatIsPublishedNoMoreEndsOnceTheKeysAreOld() throws Exception {
    publish("k1");
    publish("k2");
    assertThat(keys.find("k1")).isPresent();
    published.remove(0);
    pass(CachedKeys.FRESH.minusNanos(1));
    assertThat(keys.find("k1")).isPresent();
    pass(Duration.ofNanos(1));
    assertThat(keys.find("k1")).isEmpty();
    assertThat(keys.find("k2")).isPresent();
  }

  @Test
  void keysDoForAWhileWhereTheIssuerCantBeReachedAndNoLonger() throws Exception {
    publish("k1");
    assertThat(keys.find("k1")).isPresent();
    reachable = false;
    pass(CachedKeys.USABLE.minusNanos(1));
    assertThat(keys.find("k1")).isPresent();
    pass(Duration.ofNanos(1));
    assertThatThrownBy(() -> keys.find("k1")).isInstanceOf(ProtocolException.class);
    reachable = true;
    assertThatThrownBy(() -> keys.find("k1")).isInstanceOf(ProtocolException.class);
    pass(CachedKeys.PAUSE);
    assertThat(keys.find("k1")).isPresent();
  }

  private void publish(String id) throws JOSEException {
    published.add(new OctetKeyPairGenerator(Curve.Ed25519).keyID(id).generate().toPublicJWK());
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private JWKSet fetch() throws IOException {
    asked++;
    if (!reachable) {
      throw new IOException("nobody answers");
    }
    return new JWKSet(List.copyOf(published));
  }
}
