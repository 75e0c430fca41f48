/** Errors of HARP. */
package dev.bridle.harp.error;
