package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.auth.Secrets;
import dev.bridle.core.kernel.command.RequestHash;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.PairingRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The token that a device gets when it completes a pairing.
 *
 * <p>A device whose answer was lost has to get its token by a repeat, though a token is stored as
 * its hash. So it is derived: HMAC-SHA-256 of the call's idempotency key, of which the pairing
 * stores the hash, under a random key that the pairing stores. Neither what is stored nor what the
 * device has sent yields the token alone. A new token for each repeat would be no simpler, and a
 * late copy of the first call would then end the token that the device already uses.
 *
 * <p>That the repeat says the same about the device is not enough: the enforcer reads all of that
 * in the status of the pairing, and must not get the device's token. The idempotency key is shown
 * to nobody.
 */
final class DeviceToken {
  private final CredentialStore<ApiKeyRecord> keys;
  private final String once;
  private final byte[] tokenKey;
  private final CredentialStore.Created prepared;

  /**
   * Prepares a token.
   *
   * @param approverId the approver that the device is
   * @param once the idempotency key; random where the call has none, so that nobody repeats it
   * @param tokenKey a random key for a pairing that has none yet
   */
  DeviceToken(CredentialStore<ApiKeyRecord> keys, String approverId, String once, byte[] tokenKey) {
    this.keys = keys;
    this.once = once;
    this.tokenKey = tokenKey.clone();
    this.prepared =
        keys.prepare(
            Pairings.actorOf(approverId), List.of("harp:approve"), List.of(), secret(tokenKey));
  }

  private String secret(byte[] key) {
    byte[] derived = new RequestHash(key).of(once.getBytes(StandardCharsets.UTF_8));
    return keys.spell(Arrays.copyOf(derived, Secrets.BYTES));
  }

  /** Returns the credential that a pairing which is completed now gives its device. */
  CredentialStore.Created prepared() {
    return prepared;
  }

  /** Notes in a pairing how its token is derived. */
  PairingRecord.Builder note(PairingRecord.Builder pairing) {
    return pairing.setCompletionHash(hash()).setTokenKey(ByteString.copyFrom(tokenKey));
  }

  /** Returns whether a pairing was completed by a call with the same idempotency key. */
  boolean hasCompleted(PairingRecord pairing) {
    return pairing.getCompletionHash().equals(hash());
  }

  /** Returns the token of a pairing that a call with this idempotency key has completed. */
  String of(PairingRecord pairing) {
    return secret(pairing.getTokenKey().toByteArray());
  }

  private ByteString hash() {
    return ByteString.copyFrom(PairingStore.hash(once));
  }

  /** Leaves all of it out. */
  @Override
  public String toString() {
    return "DeviceToken[" + prepared.credential().id() + "]";
  }
}
