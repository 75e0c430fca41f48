package dev.bridle.harp.seal;

/** Device keys with fixed secrets, for test vectors. */
public final class FixedDeviceKeys {
  private FixedDeviceKeys() {}

  /** Returns the keys of fixed secrets. */
  public static DeviceKeys of(String deviceId, byte[] signingSeed, byte[] agreementSecret) {
    return new DeviceKeys(deviceId, signingSeed, AgreementKey.ofSecret(agreementSecret));
  }
}
