/**
 * Checks of tasks: their records beside their events, steps, queue places, outcomes and
 * permissions.
 */
package dev.bridle.core.operations.check.task;
