package dev.bridle.core.work.task;

/** The workers that are connected to this process, as tasks see them. */
public interface RunningWorkers extends CancelListener, MessageListener, DirectLeases {}
