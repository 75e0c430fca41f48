/** The core on a store that fails and a process that crashes, at every step and at random. */
package dev.bridle.core.fault;
