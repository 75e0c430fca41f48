/** Outcomes of tasks. */
package dev.bridle.core.outcome;
