/**
 * Bridle as an agent of the Agent Client Protocol (version 1): an editor drives sessions of a
 * running server over standard input and output. {@link dev.bridle.cli.acp.EditorAgent} takes what
 * the editor sends; {@link dev.bridle.cli.acp.TaskUpdates} makes what it is shown of a task's
 * events.
 */
package dev.bridle.cli.acp;
