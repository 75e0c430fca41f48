/** The keys that the installation signs with: sealed in storage, so that every process has them. */
package dev.bridle.core.kernel.signing;
