/** {@code bridle replay}: records the log of a task, and replays it: here, or on its server. */
package dev.bridle.cli.replay;
