/**
 * Tasks of hosted agents: each task is one prompt, what the agent reports becomes its events, and
 * what the agent asks is asked of the core.
 */
package dev.bridle.host.task;
