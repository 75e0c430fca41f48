/** Text that other programs write, kept within bounds. */
package dev.bridle.host.text;
