/** Replays of tasks: how they are accepted. A worker of the server's own runs them. */
package dev.bridle.core.work.replay;
