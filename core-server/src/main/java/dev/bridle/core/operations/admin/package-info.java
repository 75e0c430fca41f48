/** What an operator does with a running server. */
package dev.bridle.core.operations.admin;
