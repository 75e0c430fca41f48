/** A store that fails on purpose, by a plan that can be repeated. */
package dev.bridle.storage.kit.fault;
