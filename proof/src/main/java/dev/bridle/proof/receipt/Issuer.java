package dev.bridle.proof.receipt;

import java.util.Optional;

/**
 * Who issued a receipt.
 *
 * @param id of the installation
 * @param kind {@code harness}, {@code host}, {@code agent} or {@code connector}
 * @param publicKeyId the key under which the issuer signs
 */
public record Issuer(String id, String kind, Optional<String> publicKeyId) {}
