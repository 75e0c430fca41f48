/** The file that exports are written to: docs/export-format.md describes it. */
package dev.bridle.core.operations.portability.file;
