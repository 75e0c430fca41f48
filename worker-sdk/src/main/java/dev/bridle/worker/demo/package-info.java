/** The built-in agent, which counts the words of what it is given. */
package dev.bridle.worker.demo;
