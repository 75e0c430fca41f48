/** {@code bridle replay}: records the log of a task, and replays it without a server. */
package dev.bridle.cli.replay;
