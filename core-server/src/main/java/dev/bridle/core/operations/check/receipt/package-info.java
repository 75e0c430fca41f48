/** Checks of receipts and of the chains that they form. */
package dev.bridle.core.operations.check.receipt;
