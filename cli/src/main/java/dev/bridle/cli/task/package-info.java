/** Commands that submit, watch, show, list and cancel tasks over the public interface. */
package dev.bridle.cli.task;
