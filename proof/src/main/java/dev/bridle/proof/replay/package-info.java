/**
 * Log replay: checks a task's log against the task's receipt without a server, and makes the
 * receipt of the replayed segment. It proves the record of what happened, not that an agent would
 * do the same again.
 */
package dev.bridle.proof.replay;
