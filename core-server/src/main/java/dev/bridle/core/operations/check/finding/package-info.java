/** What a check finds: faults with their repair, progress and the report. */
package dev.bridle.core.operations.check.finding;
