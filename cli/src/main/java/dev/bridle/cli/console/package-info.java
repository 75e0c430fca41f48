/** How commands speak: exit codes, failures, JSON lines, spellings of options. */
package dev.bridle.cli.console;
