/**
 * Agents as subprocesses: how they start, what they may see, how they are watched, and how they end
 * with everything that they have started.
 */
package dev.bridle.host.process;
