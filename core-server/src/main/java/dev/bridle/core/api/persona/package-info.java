/** Personas, whose quotas are checked. */
package dev.bridle.core.api.persona;
