/** Agents that workers have registered. */
package dev.bridle.core.work.agent;
