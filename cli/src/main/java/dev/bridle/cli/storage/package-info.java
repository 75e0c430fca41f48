/** Commands that inspect storage: check and stats. */
package dev.bridle.cli.storage;
