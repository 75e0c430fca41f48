/** What personas allow their tasks to do, decided before it is done. */
package dev.bridle.core.work.policy;
