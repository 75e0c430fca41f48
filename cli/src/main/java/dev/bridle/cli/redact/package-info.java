/** {@code bridle redact}: erases content for good. */
package dev.bridle.cli.redact;
