/** Encryption of secrets at rest with a master key that is kept outside of storage. */
package dev.bridle.core.kernel.seal;
