package dev.bridle.harp;

import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.rule.ReplayRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Remembers decisions in memory. */
final class RememberedDecisions implements ReplayRecord {
  private final Map<String, String> hashes = new HashMap<>();

  void add(Decision decision) throws HarpException {
    Decision.Subject subject = decision.subject();
    hashes.put(subject.requestId() + subject.artifactHash(), decision.hash());
    hashes.put(decision.nonce() + " " + decision.signerKeyId(), decision.hash());
  }

  @Override
  public Optional<String> ofRequest(String requestId, String artifactHash) {
    return Optional.ofNullable(hashes.get(requestId + artifactHash));
  }

  @Override
  public Optional<String> ofNonce(String nonce, String signerKeyId) {
    return Optional.ofNullable(hashes.get(nonce + " " + signerKeyId));
  }
}
