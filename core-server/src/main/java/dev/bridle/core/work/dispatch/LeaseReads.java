package dev.bridle.core.work.dispatch;

/**
 * What the worker that holds a task's lease may read.
 *
 * @param steps the task's recorded steps
 * @param transcript what was said in its session
 */
record LeaseReads(StepLists steps, TranscriptReads transcript) {}
