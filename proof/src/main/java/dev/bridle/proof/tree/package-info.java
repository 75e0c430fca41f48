/** The Merkle tree of RFC 9162 over hashes of receipts, and its proofs. */
package dev.bridle.proof.tree;
