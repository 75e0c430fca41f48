/** Reads files of receipts: single ones, lists with one a line, and exported bundles. */
package dev.bridle.proof.bundle;
