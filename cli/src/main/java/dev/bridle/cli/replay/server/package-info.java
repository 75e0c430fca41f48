/** The server's own worker that replays tasks. */
package dev.bridle.cli.replay.server;
