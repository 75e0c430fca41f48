package dev.bridle.core.kernel.seal;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyStatus;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import java.security.GeneralSecurityException;

/**
 * The key that secrets are sealed with before they are stored: a Tink keyset, which is kept in a
 * file outside of storage. Its primary key seals; all its enabled keys open.
 */
public final class MasterKey {
  private final KeysetHandle keys;
  private final Aead aead;

  private MasterKey(KeysetHandle keys) throws GeneralSecurityException {
    this.keys = keys;
    this.aead = keys.getPrimitive(RegistryConfiguration.get(), Aead.class);
  }

  /** Makes a new key, AES-256-GCM. */
  public static MasterKey make() {
    try {
      AeadConfig.register();
      return new MasterKey(
          KeysetHandle.generateNew(
              PredefinedAeadParameters.AES256_GCM, RegistryConfiguration.get()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    }
  }

  /**
   * Reads a keyset in Tink's JSON format.
   *
   * @throws MasterKeyException where the text is none, or one that can't seal
   */
  public static MasterKey parse(String json) {
    try {
      AeadConfig.register();
      return new MasterKey(
          TinkJsonProtoKeysetFormat.parseKeyset(
              json, RegistryConfiguration.get(), InsecureSecretKeyAccess.get()));
    } catch (GeneralSecurityException | RuntimeException e) {
      // The cause stays out: what a parser says of its input may show some of it.
      throw new MasterKeyException("is no Tink keyset in JSON that can seal values");
    }
  }

  /** Returns the keyset in Tink's JSON format, for its file alone: who reads it can open all. */
  public String toJson() {
    try {
      return TinkJsonProtoKeysetFormat.serializeKeyset(
          keys, RegistryConfiguration.get(), InsecureSecretKeyAccess.get());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a keyset that was read can be written", e);
    }
  }

  /** Returns the id of the key that seals, which is no secret. */
  public int id() {
    return keys.getPrimary().getId();
  }

  /** Returns whether a key of this id is among those that open. */
  boolean opens(int id) {
    for (int i = 0; i < keys.size(); i++) {
      if (keys.getAt(i).getId() == id && keys.getAt(i).getStatus().equals(KeyStatus.ENABLED)) {
        return true;
      }
    }
    return false;
  }

  Aead aead() {
    return aead;
  }

  /** Tells the id alone. */
  @Override
  public String toString() {
    return "MasterKey[" + spelled(id()) + "]";
  }

  /** Spells a key id as people are shown it. */
  static String spelled(int id) {
    return Integer.toUnsignedString(id);
  }
}
