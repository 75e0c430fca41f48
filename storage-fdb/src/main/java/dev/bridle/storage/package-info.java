/**
 * The ordered transactional key-value contract, with FoundationDB's semantics, that every engine
 * serves.
 */
package dev.bridle.storage;
