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
 * The key that encrypts secrets before they are stored: a Tink keyset, kept in a file outside of
 * storage. Its primary key encrypts; all its enabled keys decrypt.
 */
public final class MasterKey {
  private final KeysetHandle keys;
  private final Aead aead;

  private MasterKey(KeysetHandle keys) throws GeneralSecurityException {
    this.keys = keys;
    this.aead = keys.getPrimitive(RegistryConfiguration.get(), Aead.class);
  }

  /** Generates a new AES-256-GCM key. */
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
   * @throws MasterKeyException if the text is not a keyset, or not one for AEAD
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

  /**
   * Returns the keyset in Tink's JSON format, for its file only: whoever reads it can decrypt
   * everything.
   */
  public String toJson() {
    try {
      return TinkJsonProtoKeysetFormat.serializeKeyset(
          keys, RegistryConfiguration.get(), InsecureSecretKeyAccess.get());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a keyset that was read can be written", e);
    }
  }

  /** Returns the id of the primary key, which is not secret. */
  public int id() {
    return keys.getPrimary().getId();
  }

  /** Returns whether an enabled key has this id. */
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

  /** Shows the id only. */
  @Override
  public String toString() {
    return "MasterKey[" + spelled(id()) + "]";
  }

  /** Formats a key id for display. */
  static String spelled(int id) {
    return Integer.toUnsignedString(id);
  }
}
