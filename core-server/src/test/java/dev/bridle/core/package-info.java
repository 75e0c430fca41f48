/** What the tests of the core's packages share. */
package dev.bridle.core;
