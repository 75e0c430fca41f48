/** Checks the format of stored data at start, and migrates it. */
package dev.bridle.storage.layer.migration;
