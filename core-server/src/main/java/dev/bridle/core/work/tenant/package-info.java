/** Tenants and their creation. */
package dev.bridle.core.work.tenant;
