/** Load runs measured beside yardsticks; never part of the tests. */
package dev.bridle.benchmarks;
