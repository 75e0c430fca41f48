/** The service of receipts. */
package dev.bridle.core.api.receipt;
