package dev.bridle.harp.pairing;

/**
 * The enforcer's half of a pairing, as it was initiated and as a relay resolves it. Checked by
 * {@link PairingTranscript#of}.
 *
 * @param relay the URL of the relay, as the QR code spells it
 * @param nonce the nonce of the pairing, 16 to 64 bytes in base64url
 * @param enforcerId the enforcer's id at the relay
 * @param enforcerKey the enforcer's identity, an Ed25519 public key in base64url
 * @param enforcerLabel the enforcer's name, which the approver is shown
 * @param workspaceName the workspace's name, which the approver is shown
 */
public record PairingOffer(
    String relay,
    String nonce,
    String enforcerId,
    String enforcerKey,
    String enforcerLabel,
    String workspaceName) {}
