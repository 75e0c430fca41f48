/** Schedules: tasks at a time, or again and again. */
package dev.bridle.core.integrations.schedule;
