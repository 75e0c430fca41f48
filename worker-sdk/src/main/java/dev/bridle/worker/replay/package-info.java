/**
 * Runs handlers without a server, and replays what they recorded: a kit for the tests of agents.
 */
package dev.bridle.worker.replay;
