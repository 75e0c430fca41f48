/** Checks whether a recorded history of concurrent operations is linearizable. */
package dev.bridle.storage.kit.history;
