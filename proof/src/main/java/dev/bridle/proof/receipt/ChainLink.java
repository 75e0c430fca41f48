package dev.bridle.proof.receipt;

import dev.bridle.proof.hash.Sha256;
import java.util.Optional;

/**
 * A receipt's member {@code chain}.
 *
 * @param previousReceiptHash the hash of the receipt before it; empty for the first
 * @param receiptHash the receipt's own hash, as it states it
 * @param merkleRoot the root over all earlier receipts of the session, where it states one
 */
public record ChainLink(
    Optional<Sha256> previousReceiptHash, Sha256 receiptHash, Optional<Sha256> merkleRoot) {}
