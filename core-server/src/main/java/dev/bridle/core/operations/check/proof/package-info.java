/** What one pass over all rows proves by sums of hashes, so that few rows are looked up. */
package dev.bridle.core.operations.check.proof;
