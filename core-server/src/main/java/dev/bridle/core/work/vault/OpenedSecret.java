package dev.bridle.core.work.vault;

/**
 * A secret with its decrypted value.
 *
 * @param vault the vault
 * @param name the secret's name
 * @param version the number of the value
 * @param value the value
 */
public record OpenedSecret(String vault, String name, long version, String value) {
  /** Omits the value. */
  @Override
  public String toString() {
    return "OpenedSecret[" + vault + "/" + name + ", version " + version + "]";
  }
}
