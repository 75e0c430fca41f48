/** What kinds of records there are, how each is stored, and which lists it stands in. */
package dev.bridle.core.kernel.record;
