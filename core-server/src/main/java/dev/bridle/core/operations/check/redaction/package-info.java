/** Checks that redacted content is gone, and nothing else. */
package dev.bridle.core.operations.check.redaction;
