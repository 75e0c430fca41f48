/** Workers: leases, reports, and expiry of leases without heartbeats. */
package dev.bridle.core.work.dispatch;
