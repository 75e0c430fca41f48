/** Quotas. */
package dev.bridle.core.quota;
