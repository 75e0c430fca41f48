/** Recognizes the programs with their subcommands that the texts of an action invoke. */
package dev.bridle.core.work.policy.invocation;
