package dev.bridle.harp.seal;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class DeviceKeysTest {
  /** One in 64 would, and a command would take it for an option. */
  @Test
  void noIdOfADeviceOrOfItsKeyBeginsWithAHyphen() {
    SecureRandom random = new SecureRandom();

    assertThat(Stream.generate(() -> DeviceKeys.create(random)).limit(600))
        .noneMatch(keys -> keys.deviceId().startsWith("-") || keys.signerKeyId().startsWith("-"));
  }
}
