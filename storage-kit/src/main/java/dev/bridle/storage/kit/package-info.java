/** The promises of the key-value contract as test suites that run against any engine. */
package dev.bridle.storage.kit;
