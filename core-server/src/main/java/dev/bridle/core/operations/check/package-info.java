/** Checks the consistency of stored data, reports faults, and repairs what can be derived. */
package dev.bridle.core.operations.check;
