/** Ed25519 keys that sign receipts, and the published set of those that verify them. */
package dev.bridle.proof.key;
