/** Vaults, their secrets, and access to these. */
package dev.bridle.core.work.vault;
