/**
 * The runtimes of agents: {@code bridle runtime} and the commands below it, about the server's and
 * about agents of others.
 */
package dev.bridle.cli.runtime;
