/** Secrets at rest: sealed with a master key that lies outside of storage. */
package dev.bridle.core.kernel.seal;
