/** Redaction: erases content with its copies, and keeps what proves that it existed. */
package dev.bridle.core.work.redaction;
