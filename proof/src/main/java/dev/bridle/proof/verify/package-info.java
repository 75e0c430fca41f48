/** Verifies receipts, one by one and as the chain of a session, without any server. */
package dev.bridle.proof.verify;
