/** Workers: leases, what they report, and who looks after leases that went quiet. */
package dev.bridle.core.work.dispatch;
