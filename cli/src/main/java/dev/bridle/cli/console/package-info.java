/** Input and output of commands: exit codes, failures, JSON lines, parsing of option values. */
package dev.bridle.cli.console;
