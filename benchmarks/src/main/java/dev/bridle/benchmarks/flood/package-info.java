/** A server under a flood of unfinished requests, and what other tenants notice of it. */
package dev.bridle.benchmarks.flood;
