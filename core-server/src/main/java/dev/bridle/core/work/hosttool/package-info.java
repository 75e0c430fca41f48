/** Host tools: tool calls of agents that clients run. */
package dev.bridle.core.work.hosttool;
