/** Receipts as values: their parts, their hash, their chain, and how one is signed. */
package dev.bridle.proof.receipt;
