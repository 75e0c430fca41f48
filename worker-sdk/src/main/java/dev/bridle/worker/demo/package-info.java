/** The built-in demo agent, which counts the words of its input. */
package dev.bridle.worker.demo;
