/** The `bridle` command. */
package dev.bridle.cli;
