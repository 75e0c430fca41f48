/** The embedded engine: RocksDB under one committer, for an installation on one machine. */
package dev.bridle.storage.embedded;
