/** SHA-256 as a value, in the spelling of receipts. */
package dev.bridle.proof.hash;
