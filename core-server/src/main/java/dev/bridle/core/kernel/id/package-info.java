/** Generation of ids. */
package dev.bridle.core.kernel.id;
