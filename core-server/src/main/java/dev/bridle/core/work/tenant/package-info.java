/** Tenants, and what each begins with. */
package dev.bridle.core.work.tenant;
