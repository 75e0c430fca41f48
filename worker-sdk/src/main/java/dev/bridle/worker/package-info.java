/** The SDK for agents: a handler of tasks, and the worker that runs it under leases of the core. */
package dev.bridle.worker;
