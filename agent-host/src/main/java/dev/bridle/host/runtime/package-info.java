/** Agent runtimes that a server starts by itself: their file, their processes, their workers. */
package dev.bridle.host.runtime;
