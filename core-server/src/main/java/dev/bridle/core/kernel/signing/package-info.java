/** The installation's signing keys, sealed in storage so that every process has them. */
package dev.bridle.core.kernel.signing;
