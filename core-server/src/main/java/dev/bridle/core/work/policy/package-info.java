/** Policies that decide which actions a task may perform. */
package dev.bridle.core.work.policy;
