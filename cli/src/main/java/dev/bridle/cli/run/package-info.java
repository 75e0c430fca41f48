/**
 * {@code bridle run}: an agent that somebody else made, on a folder, under Bridle's hand. A server
 * and the agent's host live in this process; the agent is a subprocess of it.
 */
package dev.bridle.cli.run;
