/** Outcomes of tasks. */
package dev.bridle.core.work.outcome;
