/** Receipts: what proves the work of ended tasks, and the chain of each session. */
package dev.bridle.core.work.receipt;
