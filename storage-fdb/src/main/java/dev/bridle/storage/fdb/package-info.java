/** The key-value contract on a FoundationDB cluster. */
package dev.bridle.storage.fdb;
