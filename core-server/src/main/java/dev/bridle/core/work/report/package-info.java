/**
 * What workers report about the tasks that they hold: checked, recorded once, and shown as events.
 */
package dev.bridle.core.work.report;
