/** Phones of people: paired and enrolled in one step. */
package dev.bridle.core.integrations.phone;
