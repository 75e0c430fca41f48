/** {@code bridle backup} and {@code bridle restore}. */
package dev.bridle.cli.backup;
