/** What the events of a task say, for those who show them. */
package dev.bridle.cli.event;
