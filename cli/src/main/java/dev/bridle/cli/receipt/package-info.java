/** {@code bridle receipt}: verifies receipts without a server. */
package dev.bridle.cli.receipt;
