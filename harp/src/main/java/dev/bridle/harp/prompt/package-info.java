/** Prompts that a person sends to an agent, and their acknowledgements. */
package dev.bridle.harp.prompt;
