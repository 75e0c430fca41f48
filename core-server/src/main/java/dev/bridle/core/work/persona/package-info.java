/** Personas. */
package dev.bridle.core.work.persona;
