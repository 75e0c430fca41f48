/** Tools that agents ask the clients which watch their tasks to run. */
package dev.bridle.core.work.hosttool;
