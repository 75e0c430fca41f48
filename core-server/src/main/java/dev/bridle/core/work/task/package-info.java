/** Tasks: their lifecycle, their rules and what clients do with them. */
package dev.bridle.core.work.task;
