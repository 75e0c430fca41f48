/** Schedules: one-time and recurring tasks. */
package dev.bridle.core.integrations.schedule;
