/** Vaults, the secrets that they keep, and who is given these. */
package dev.bridle.core.work.vault;
