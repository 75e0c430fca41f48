/** Tasks: their lifecycle, rules and service. */
package dev.bridle.core.work.task;
