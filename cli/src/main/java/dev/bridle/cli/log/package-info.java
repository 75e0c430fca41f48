/** Shows what a task did, from its record. */
package dev.bridle.cli.log;
