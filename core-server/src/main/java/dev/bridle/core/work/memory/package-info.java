/** Memories, apart from all transcripts. */
package dev.bridle.core.work.memory;
