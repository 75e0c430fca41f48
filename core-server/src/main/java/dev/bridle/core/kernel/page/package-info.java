/** Pages of lists and their tamper-evident cursors. */
package dev.bridle.core.kernel.page;
