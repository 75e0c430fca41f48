/**
 * What a check stands on: its scope, the rows and records that it looks at, and how faults are
 * reported.
 */
package dev.bridle.core.operations.check.rule;
