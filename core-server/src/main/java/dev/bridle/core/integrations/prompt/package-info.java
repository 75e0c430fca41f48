/** The prompt layer of HARP: words of people for agents, each delivered once. */
package dev.bridle.core.integrations.prompt;
