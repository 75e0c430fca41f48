/** Receipts for tests and fixtures, whole and broken, all made from a seed. */
package dev.bridle.proof.sample;
