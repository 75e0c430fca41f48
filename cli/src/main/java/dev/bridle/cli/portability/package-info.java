/** {@code bridle export} and {@code bridle import}. */
package dev.bridle.cli.portability;
