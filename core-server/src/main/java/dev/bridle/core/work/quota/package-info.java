/** Quotas. */
package dev.bridle.core.work.quota;
