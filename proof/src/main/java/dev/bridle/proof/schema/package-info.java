/** The published JSON Schema of receipts, and a strict check against it. */
package dev.bridle.proof.schema;
