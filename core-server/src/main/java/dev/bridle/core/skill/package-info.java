/** Skills. */
package dev.bridle.core.skill;
