/** The commands that look at storage: check and stats. */
package dev.bridle.cli.storage;
