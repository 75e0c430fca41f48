/** Memories, which are stored apart from transcripts. */
package dev.bridle.core.work.memory;
