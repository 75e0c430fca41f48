/** What hosted agents cost: updates to a subscriber, and memory. */
package dev.bridle.benchmarks.hosted;
