/** The embedded engine: RocksDB with a single committer, for an installation on one machine. */
package dev.bridle.storage.embedded;
