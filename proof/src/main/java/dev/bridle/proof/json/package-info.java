/** Strict JSON in, canonical JSON (RFC 8785) out. */
package dev.bridle.proof.json;
